import { randomBytes } from 'node:crypto';
import { type Settings } from '../config/settings.js';
import { type PgQuery } from './pg-client.js';
import { type PgDatabase } from './pg-database.js';
import { resealShared } from './resealing.js';
import { type SecretBox } from './secret-box.js';
import { boxOf, checkOf, isKeyOf, verifyKey } from './secret-key.js';
import { StoreError } from './store.error.js';

/** A gateway that runs says so each second, and one that stops in good order takes its row along. */
const RUNNING = `SELECT FROM nodes WHERE seen_at > clock_timestamp() - interval '1 minute' LIMIT 1`;

/** The secrets of which the store's key is derived. */
export type SecretKeys = Pick<Settings, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>;

/**
 * Opens the box for the secrets of the shared store. Its key is derived from `SECRET_KEY`, which all nodes have alike,
 * with a salt kept in the store. What `SECRET_KEY_PREVIOUS` has sealed is sealed anew.
 * @throws StoreError if the key is not the one that the store's secrets were sealed with, or others still use that
 */
export async function openSharedSecretBox(database: PgDatabase, keys: SecretKeys): Promise<SecretBox> {
  const { SECRET_KEY = '', SECRET_KEY_PREVIOUS: previous } = keys;
  // The row stays locked to the end, so that nodes that start together agree on one salt.
  return database.transaction(async (query) => {
    const [meta] = await query<{ salt: Uint8Array; check: Uint8Array | null }>(
      'UPDATE meta SET key_salt = coalesce(key_salt, $1) RETURNING key_salt AS salt, key_check AS check',
      [randomBytes(16)],
    );
    const { salt, check } = meta!;
    const box = boxOf(SECRET_KEY, salt);
    if (!check) {
      await keepCheck(query, box);
    } else if (previous !== undefined && !isKeyOf(box, check)) {
      const before = boxOf(previous, salt);
      verifyKey(before, check, 'SECRET_KEY_PREVIOUS', 'another database');
      await refuseWhileOthersRun(query);
      await resealShared(query, before, box);
      await keepCheck(query, box);
    } else {
      verifyKey(box, check, 'SECRET_KEY', 'another database');
    }
    return box;
  });
}

async function keepCheck(query: PgQuery, box: SecretBox): Promise<void> {
  await query('UPDATE meta SET key_check = $1', [checkOf(box)]);
}

/** They would go on to seal with the key of before. */
async function refuseWhileOthersRun(query: PgQuery): Promise<void> {
  if ((await query(RUNNING)).length > 0) {
    throw new StoreError(
      'The secrets cannot be sealed with another SECRET_KEY while gateways run that have the one of before: stop all of ' +
        'them. One that was killed counts for a minute more.',
      undefined,
      true,
    );
  }
}
