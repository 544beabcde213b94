import { type KeyRole } from '../../common/http/access/caller-key.js';
import { type AccessKey, type KeySecret, type Priority } from '../access-key.js';

/** A row of the table `keys`; SQLite has numbers for truth values. */
export interface KeyRow {
  readonly name: string;
  readonly role: KeyRole;
  readonly models: string | null;
  readonly requests_per_minute: number | null;
  readonly concurrent_requests: number | null;
  readonly tokens_per_day: number | null;
  readonly priority: Priority;
  readonly is_enabled: boolean | 0 | 1;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

/** A row of the table `key_secrets`. */
export interface SecretRow {
  readonly digest: string;
  readonly key_name: string;
  readonly prefix: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

type Value = string | number | boolean | null;

/** What a key has for each column, but for its last use, which is written alone. */
const VALUES: Readonly<Record<Exclude<keyof KeyRow, 'last_used_at'>, (key: AccessKey) => Value>> = {
  name: (key) => key.name,
  role: (key) => key.role,
  models: (key) => key.models && JSON.stringify(key.models),
  requests_per_minute: (key) => key.requestsPerMinute,
  concurrent_requests: (key) => key.concurrentRequests,
  tokens_per_day: (key) => key.tokensPerDay,
  priority: (key) => key.priority,
  is_enabled: (key) => key.isEnabled,
  created_at: (key) => key.createdAt,
  expires_at: (key) => key.expiresAt,
  revoked_at: (key) => key.revokedAt,
};

/** The columns that `valuesOfKey` has values for. */
export const KEY_COLUMNS: readonly string[] = Object.keys(VALUES);

/** Columns of a key that stay as they were made. */
const CONSTANT: ReadonlySet<string> = new Set(['name', 'created_at']);

/** `column = excluded.column` for all that may change, for an upsert. */
export const KEY_UPDATES = KEY_COLUMNS.filter((column) => !CONSTANT.has(column))
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

export function valuesOfKey(key: AccessKey): readonly Value[] {
  return Object.values(VALUES).map((valueOf) => valueOf(key));
}

export function toKey(row: KeyRow): AccessKey {
  return {
    name: row.name,
    role: row.role,
    models: row.models === null ? null : (JSON.parse(row.models) as string[]),
    requestsPerMinute: row.requests_per_minute,
    concurrentRequests: row.concurrent_requests,
    tokensPerDay: row.tokens_per_day,
    priority: row.priority,
    isEnabled: Boolean(row.is_enabled),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

export function toSecret(row: SecretRow): KeySecret {
  return {
    digest: row.digest,
    keyName: row.key_name,
    prefix: row.prefix,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
