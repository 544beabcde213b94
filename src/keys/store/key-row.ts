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

/** The columns that `valuesOfKey` has values for. */
export const KEY_COLUMNS = [
  'name',
  'role',
  'models',
  'requests_per_minute',
  'concurrent_requests',
  'tokens_per_day',
  'priority',
  'is_enabled',
  'created_at',
  'expires_at',
  'revoked_at',
] as const;

/** Columns of a key that stay as they were made. */
const CONSTANT: ReadonlySet<string> = new Set(['name', 'created_at']);

/** `column = excluded.column` for all that may change, for an upsert. */
export const KEY_UPDATES = KEY_COLUMNS.filter((column) => !CONSTANT.has(column))
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

export function valuesOfKey(key: AccessKey): readonly (string | number | boolean | null)[] {
  return [
    key.name,
    key.role,
    key.models && JSON.stringify(key.models),
    key.requestsPerMinute,
    key.concurrentRequests,
    key.tokensPerDay,
    key.priority,
    key.isEnabled,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
  ];
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
