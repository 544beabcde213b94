/**
 * The store's schema as numbered steps: step N brings a store from version N-1 to N (`PRAGMA user_version`).
 * A step that has been released is never edited; a change is a new step at the end.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('configuration', 'operator')),
    is_present INTEGER NOT NULL CHECK (is_present IN (0, 1)),
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
    credentials BLOB NOT NULL,
    driver_state BLOB,
    cooldown TEXT,
    login_required TEXT,
    login_screenshot BLOB,
    requests INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    rate_limits INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    last_login_at INTEGER,
    UNIQUE (provider, name)
  ) STRICT;
  `,
  `
  CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('caller', 'operator')),
    models TEXT,
    requests_per_minute INTEGER,
    concurrent_requests INTEGER,
    tokens_per_day INTEGER,
    priority TEXT NOT NULL CHECK (priority IN ('interactive', 'batch')),
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT;

  CREATE TABLE key_secrets (
    digest TEXT PRIMARY KEY,
    key_name TEXT NOT NULL REFERENCES keys (name),
    prefix TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
  ) STRICT;

  CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT,
    action TEXT NOT NULL,
    subject TEXT,
    before TEXT,
    after TEXT
  ) STRICT;
  `,
];
