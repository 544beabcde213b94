import { ECHO_SCHEMA } from './pg-schema/echo-schema.js';
import { KEY_SCHEMA } from './pg-schema/key-schema.js';
import { LIMIT_FILES, LIMIT_SCHEMA, LIMIT_VERSIONS } from './pg-schema/limit-schema.js';
import { NODE_SCHEMA } from './pg-schema/node-schema.js';
import { RESPONSE_SCHEMA } from './pg-schema/response-schema.js';
import { SETTINGS_SCHEMA } from './pg-schema/settings-schema.js';
import { TICKET_SCHEMA } from './pg-schema/ticket-schema.js';
import { CRASHED_USAGE, USAGE_SCHEMA } from './pg-schema/usage-schema.js';

/**
 * Columns of the log's filters, out of the JSON of its records; the release before leaves them null. It still writes
 * "writer" and draws from "log_feed", which both may go with a later step.
 */
const LOG_COLUMNS = `ALTER TABLE log_records ADD COLUMN IF NOT EXISTS conversation text,
  ADD COLUMN IF NOT EXISTS client text, ADD COLUMN IF NOT EXISTS reason text,
  ALTER COLUMN writer SET DEFAULT '0'`;

/** What a request waited for sessions, and its cached tokens; the release before leaves them null. */
const LOG_FIGURES = `ALTER TABLE log_records ADD COLUMN IF NOT EXISTS queued_ms double precision,
  ADD COLUMN IF NOT EXISTS cached_tokens bigint`;

/**
 * A dump that was restored on the same server is told by the number of a table, which is new then. Where the server is still
 * that of the last beat, the timeline changes along, and no node waits.
 */
const TIMELINE_WITH_TABLE = `
  UPDATE meta SET timeline = server_timeline() || '/' || 'meta'::regclass::oid WHERE timeline = server_timeline();
  CREATE OR REPLACE FUNCTION server_timeline() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/' || 'meta'::regclass::oid
  $$`;

/** By node, the latest batch of counts of accounts that was added: one may come again, as nobody knows whether it was. */
const COUNT_BATCHES =
  'CREATE TABLE IF NOT EXISTS account_batches (node text PRIMARY KEY, number bigint NOT NULL)';

/** The same by node of the latest response that was stored: again, it would bring back one that is deleted since. */
const RESPONSE_WRITES =
  'CREATE TABLE IF NOT EXISTS response_writes (node text PRIMARY KEY, number bigint NOT NULL)';

/**
 * The schema of the shared store as numbered steps: step N brings it from version N-1 to N (`schema_version`). A step that
 * has been released is never edited; a change is a new step at the end, and one that the release before can run on.
 */
export const PG_MIGRATIONS: readonly string[] = [
  `
  -- One row. "opened_at" and "timeline" tell a server that has taken another one's place; "accounts_version" counts the
  -- changes of accounts that other nodes must hear of.
  CREATE TABLE meta (
    id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    opened_at timestamptz NOT NULL,
    timeline text NOT NULL,
    key_salt bytea,
    key_check bytea,
    accounts_version bigint NOT NULL DEFAULT 0
  );

  -- The installation of the server, and how often a standby of it was promoted.
  CREATE FUNCTION server_timeline() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
  $$;
  INSERT INTO meta (opened_at, timeline) VALUES (clock_timestamp(), server_timeline());

  -- The row stays locked to the end of the transaction, so that versions become visible in their order.
  CREATE FUNCTION accounts_changed() RETURNS void LANGUAGE sql VOLATILE AS $$
    UPDATE meta SET accounts_version = accounts_version + 1;
    SELECT pg_notify('gateway_accounts', '');
  $$;

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
    UNIQUE (provider, name)
  );

  CREATE TABLE tenures (
    account text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    share integer NOT NULL,
    node text,
    term bigint NOT NULL DEFAULT 0,
    until timestamptz,
    PRIMARY KEY (account, share)
  );
  `,
  `
  -- The log of all nodes, which each ships from its own file. "day" counts days of UTC since 1970; "feed" orders the
  -- changes of all nodes, and is final once no transaction before "writer" runs any more.
  CREATE SEQUENCE log_feed;
  CREATE TABLE log_nodes (
    node text PRIMARY KEY,
    seen_at timestamptz NOT NULL
  );
  CREATE TABLE log_records (
    day integer NOT NULL,
    node text NOT NULL,
    seq bigint NOT NULL,
    changed bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    request_id text,
    started_at bigint NOT NULL,
    outcome text NOT NULL,
    status integer,
    key_name text,
    model text,
    account text,
    is_completion smallint NOT NULL,
    is_stranger smallint NOT NULL,
    total_ms double precision,
    first_token_ms double precision,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    bytes bigint NOT NULL,
    brief text NOT NULL,
    texts text,
    request_body text,
    response_body text,
    feed bigint NOT NULL,
    writer xid8 NOT NULL,
    PRIMARY KEY (day, node, seq)
  ) PARTITION BY RANGE (day);
  CREATE INDEX log_records_by_seq ON log_records (seq);
  CREATE INDEX log_records_by_feed ON log_records (feed);
  CREATE INDEX log_records_by_id ON log_records (id);
  CREATE INDEX log_records_by_request ON log_records (request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX log_records_pending ON log_records (node) WHERE outcome = 'pending';
  `,
  `
  -- "is_spare": its holder could do without it. "wanted_by": the node for which it is to be given up, and reserved until then.
  ALTER TABLE tenures ADD COLUMN is_spare boolean NOT NULL DEFAULT false, ADD COLUMN wanted_by text,
    ADD COLUMN wanted_until timestamptz;
  `,
  KEY_SCHEMA,
  USAGE_SCHEMA,
  LIMIT_SCHEMA,
  SETTINGS_SCHEMA,
  TICKET_SCHEMA,
  // One step, since a release runs on a schema that is one step ahead.
  [LOG_COLUMNS, RESPONSE_SCHEMA, ECHO_SCHEMA, NODE_SCHEMA].join(';'),
  TIMELINE_WITH_TABLE,
  LIMIT_VERSIONS,
  // The release before leaves it as it is: there, every cooldown is of the whole account.
  'ALTER TABLE accounts ADD COLUMN IF NOT EXISTS cooldown_model text',
  "INSERT INTO shared_versions (topic) VALUES ('log_followers') ON CONFLICT DO NOTHING",
  LOG_FIGURES,
  [CRASHED_USAGE, COUNT_BATCHES].join(';'),
  RESPONSE_WRITES,
  LIMIT_FILES,
];
