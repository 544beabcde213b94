import { Injectable } from '@nestjs/common';
import { type KeyRole } from '../common/http/access/caller-key.js';
import { Database } from '../common/store/database.js';
import { type AccessKey, type KeySecret, type Priority } from './access-key.js';

interface KeyRow {
  readonly name: string;
  readonly role: KeyRole;
  readonly models: string | null;
  readonly requests_per_minute: number | null;
  readonly concurrent_requests: number | null;
  readonly tokens_per_day: number | null;
  readonly priority: Priority;
  readonly is_enabled: 0 | 1;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

interface SecretRow {
  readonly digest: string;
  readonly key_name: string;
  readonly prefix: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

/** Keys and the digests of their secrets in the store. A revoked key keeps its row, so that its name is not given away. */
@Injectable()
export class KeyStore {
  constructor(private readonly database: Database) {}

  keys(): AccessKey[] {
    const rows = this.database
      .prepare('SELECT * FROM keys ORDER BY created_at, name')
      .all() as unknown as KeyRow[];
    return rows.map(toKey);
  }

  secrets(): KeySecret[] {
    const rows = this.database
      .prepare('SELECT * FROM key_secrets ORDER BY created_at')
      .all() as unknown as SecretRow[];
    return rows.map((row) => ({
      digest: row.digest,
      keyName: row.key_name,
      prefix: row.prefix,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  }

  /** Stores all of it, or nothing. */
  transaction(work: () => void): void {
    this.database.transaction(work);
  }

  put(key: AccessKey): void {
    this.database
      .prepare(
        `INSERT INTO keys (name, role, models, requests_per_minute, concurrent_requests, tokens_per_day, priority,
           is_enabled, created_at, expires_at, revoked_at, last_used_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET role = excluded.role, models = excluded.models,
           requests_per_minute = excluded.requests_per_minute, concurrent_requests = excluded.concurrent_requests,
           tokens_per_day = excluded.tokens_per_day, priority = excluded.priority, is_enabled = excluded.is_enabled,
           expires_at = excluded.expires_at, revoked_at = excluded.revoked_at`,
      )
      .run(
        key.name,
        key.role,
        key.models && JSON.stringify(key.models),
        key.requestsPerMinute,
        key.concurrentRequests,
        key.tokensPerDay,
        key.priority,
        key.isEnabled ? 1 : 0,
        key.createdAt,
        key.expiresAt,
        key.revokedAt,
        key.lastUsedAt,
      );
  }

  putSecret({ digest, keyName, prefix, createdAt, expiresAt }: KeySecret): void {
    this.database
      .prepare(
        `INSERT INTO key_secrets (digest, key_name, prefix, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at`,
      )
      .run(digest, keyName, prefix, createdAt, expiresAt);
  }

  setLastUse(name: string, at: number): void {
    this.database.prepare('UPDATE keys SET last_used_at = ? WHERE name = ?').run(at, name);
  }
}

function toKey(row: KeyRow): AccessKey {
  return {
    name: row.name,
    role: row.role,
    models: row.models === null ? null : (JSON.parse(row.models) as string[]),
    requestsPerMinute: row.requests_per_minute,
    concurrentRequests: row.concurrent_requests,
    tokensPerDay: row.tokens_per_day,
    priority: row.priority,
    isEnabled: row.is_enabled === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
