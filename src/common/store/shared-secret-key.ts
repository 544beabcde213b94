import { randomBytes } from 'node:crypto';
import { type PgDatabase } from './pg-database.js';
import { type SecretBox } from './secret-box.js';
import { boxOf, checkOf, verifyKey } from './secret-key.js';

/**
 * Opens the box for the secrets of the shared store. Its key is derived from `SECRET_KEY`, which all nodes have alike,
 * with a salt kept in the store.
 * @throws StoreError if the key is not the one that the store's secrets were sealed with
 */
export async function openSharedSecretBox(database: PgDatabase, secretKey: string): Promise<SecretBox> {
  // The row stays locked to the end, so that nodes that start together agree on one salt.
  return database.transaction(async (query) => {
    const [meta] = await query<{ salt: Uint8Array; check: Uint8Array | null }>(
      'UPDATE meta SET key_salt = coalesce(key_salt, $1) RETURNING key_salt AS salt, key_check AS check',
      [randomBytes(16)],
    );
    const box = boxOf(secretKey, meta!.salt);
    if (meta!.check) {
      verifyKey(box, meta!.check, 'SECRET_KEY', 'another database');
    } else {
      await query('UPDATE meta SET key_check = $1', [checkOf(box)]);
    }
    return box;
  });
}
