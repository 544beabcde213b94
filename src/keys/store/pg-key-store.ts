import { type PgQuery, withoutNuls } from '../../common/store/pg-client.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import {
  KEY_COLUMNS,
  KEY_UPDATES,
  type KeyRow,
  type SecretRow,
  toKey,
  toSecret,
  valuesOfKey,
} from './key-row.js';
import { type KeyChange, type KeyFacts, KeyStore, type StoredKeys } from './key-store.js';

const COLUMNS = [...KEY_COLUMNS, 'ends_running'];
const PUT_KEY = `
  INSERT INTO keys (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})
  ON CONFLICT (name) DO UPDATE SET ${KEY_UPDATES}, ends_running = excluded.ends_running`;
const PUT_SECRETS = `
  INSERT INTO key_secrets (digest, key_name, prefix, created_at, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
  ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at`;
/** In the order of names, so that nodes which write about the same keys do not wait for each other in a ring. */
const SAVE_LAST_USES = `
  WITH used AS (
    SELECT keys.name, at FROM keys JOIN unnest($1::text[], $2::bigint[]) AS used (name, at) USING (name)
    ORDER BY keys.name FOR UPDATE OF keys
  )
  UPDATE keys SET last_used_at = greatest(last_used_at, used.at) FROM used WHERE keys.name = used.name`;

/** The keys that several gateways share. The others hear of a change at once, and find it within a second. */
export class PgKeyStore extends KeyStore {
  constructor(private readonly database: PgDatabase) {
    super();
  }

  async load(): Promise<StoredKeys> {
    const rows = await this.database.query<KeyRow & { readonly ends_running: boolean }>(
      'SELECT * FROM keys ORDER BY created_at, name',
    );
    // A secret whose key was made in between has no key here; the next version brings both.
    const secrets = await this.database.query<SecretRow>('SELECT * FROM key_secrets ORDER BY created_at');
    return {
      keys: rows.map(toKey),
      secrets: secrets.map(toSecret),
      ending: new Set(rows.filter((row) => row.ends_running).map(({ name }) => name)),
    };
  }

  change(name: string, decide: (facts: KeyFacts) => KeyChange): Promise<KeyChange> {
    return this.database.transaction(async (query) => {
      // Locks the version, so that what is decided upon stays as it is to the end.
      await query(`SELECT shared_changed('keys')`);
      const change = decide(await factsOf(query, name));
      await query(PUT_KEY, [...valuesOfKey(change.key), change.endsRunning ?? false]);
      const { secrets = [] } = change;
      await query(PUT_SECRETS, [
        secrets.map(({ digest }) => digest),
        secrets.map(({ keyName }) => keyName),
        secrets.map(({ prefix }) => prefix),
        secrets.map(({ createdAt }) => createdAt),
        secrets.map(({ expiresAt }) => expiresAt),
      ]);
      return change;
    });
  }

  async saveLastUses(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.database.query(SAVE_LAST_USES, [[...uses.keys()], [...uses.values()]]);
  }
}

async function factsOf(query: PgQuery, name: string): Promise<KeyFacts> {
  const named = withoutNuls([name]);
  const [key] = await query<KeyRow>('SELECT * FROM keys WHERE name = $1', named);
  const secrets = await query<SecretRow>('SELECT * FROM key_secrets WHERE key_name = $1', named);
  const [counted] = await query<{ count: number }>('SELECT count(*) AS count FROM keys');
  const operators = await query<KeyRow>(`SELECT * FROM keys WHERE role = 'operator' AND name <> $1`, named);
  return {
    key: key && toKey(key),
    secrets: secrets.map(toSecret),
    count: counted?.count ?? 0,
    otherOperators: operators.map(toKey),
  };
}
