/**
 * The schema of the shared store as numbered steps: step N brings it from version N-1 to N (`schema_version`). A step that
 * has been released is never edited; a change is a new step at the end, and one that the release before can run on.
 */
export const PG_MIGRATIONS: readonly string[] = [
  `
  -- One row. "opened_at" and "timeline" tell a server that has taken another one's place; "accounts_version" numbers
  -- the changes of accounts, and "deletions" counts the deleted ones.
  CREATE TABLE meta (
    id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    opened_at timestamptz NOT NULL,
    timeline text NOT NULL,
    key_salt bytea,
    key_check bytea,
    accounts_version bigint NOT NULL DEFAULT 0,
    deletions bigint NOT NULL DEFAULT 0
  );
  INSERT INTO meta (opened_at, timeline) VALUES (clock_timestamp(), '');

  CREATE TABLE nodes (
    id text PRIMARY KEY,
    provider text NOT NULL,
    version text NOT NULL,
    seen_at timestamptz NOT NULL,
    is_draining boolean NOT NULL DEFAULT false
  );

  -- Times of people are Unix milliseconds as in the embedded store; times that nodes must agree on are the server's.
  CREATE TABLE accounts (
    id text PRIMARY KEY,
    provider text NOT NULL,
    name text NOT NULL,
    source text NOT NULL CHECK (source IN ('configuration', 'operator')),
    is_present boolean NOT NULL DEFAULT true,
    is_enabled boolean NOT NULL DEFAULT true,
    credentials bytea NOT NULL,
    login integer NOT NULL DEFAULT 0,
    driver_state bytea,
    login_required text,
    login_screenshot bytea,
    cooldown_until timestamptz,
    cooldown_cause text,
    requests bigint NOT NULL DEFAULT 0,
    failures bigint NOT NULL DEFAULT 0,
    rate_limits bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    last_used_at bigint,
    last_login_at bigint,
    version bigint NOT NULL,
    writer_term bigint NOT NULL DEFAULT 0,
    UNIQUE (provider, name)
  );
  CREATE INDEX accounts_by_version ON accounts (version);

  CREATE TABLE tenures (
    account text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    share integer NOT NULL,
    node text,
    term bigint NOT NULL DEFAULT 0,
    until timestamptz,
    PRIMARY KEY (account, share)
  );
  `,
];
