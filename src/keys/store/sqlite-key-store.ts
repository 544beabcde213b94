import { type Database } from '../../common/store/database.js';
import { type AccessKey } from '../access-key.js';
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

const PUT_KEY = `
  INSERT INTO keys (${KEY_COLUMNS.join(', ')}) VALUES (${KEY_COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (name) DO UPDATE SET ${KEY_UPDATES}`;
const PUT_SECRET = `
  INSERT INTO key_secrets (digest, key_name, prefix, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at`;

/** The keys of one gateway, in its own file. Nobody else changes them. */
export class SqliteKeyStore extends KeyStore {
  constructor(private readonly database: Database) {
    super();
  }

  load(): Promise<StoredKeys> {
    const secrets = this.database.prepare('SELECT * FROM key_secrets ORDER BY created_at').all();
    return Promise.resolve({
      keys: this.keys('SELECT * FROM keys ORDER BY created_at, name'),
      secrets: (secrets as unknown as SecretRow[]).map(toSecret),
      ending: new Set(),
    });
  }

  change(name: string, decide: (facts: KeyFacts) => KeyChange): Promise<KeyChange> {
    return this.database.patiently(() => {
      const change = decide(this.factsOf(name));
      const values = valuesOfKey(change.key).map((value) =>
        typeof value === 'boolean' ? Number(value) : value,
      );
      this.database.prepare(PUT_KEY).run(...values);
      const put = this.database.prepare(PUT_SECRET);
      for (const { digest, keyName, prefix, createdAt, expiresAt } of change.secrets ?? []) {
        put.run(digest, keyName, prefix, createdAt, expiresAt);
      }
      return change;
    });
  }

  async saveLastUses(uses: ReadonlyMap<string, number>): Promise<void> {
    const save = this.database.prepare('UPDATE keys SET last_used_at = ? WHERE name = ?');
    await this.database.patiently(() => uses.forEach((at, name) => save.run(at, name)));
  }

  private factsOf(name: string): KeyFacts {
    const secrets = this.database.prepare('SELECT * FROM key_secrets WHERE key_name = ?').all(name);
    const { count } = this.database.prepare('SELECT count(*) AS count FROM keys').get() as { count: number };
    return {
      key: this.keys('SELECT * FROM keys WHERE name = ?', name)[0],
      secrets: (secrets as unknown as SecretRow[]).map(toSecret),
      count,
      otherOperators: this.keys(`SELECT * FROM keys WHERE role = 'operator' AND name <> ?`, name),
    };
  }

  private keys(sql: string, ...values: string[]): AccessKey[] {
    return (this.database.prepare(sql).all(...values) as unknown as KeyRow[]).map(toKey);
  }
}
