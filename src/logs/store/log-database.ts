import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FILE_BUSY_TIMEOUT_MS, openVersionedFile } from '../../common/store/sqlite/versioned-file.js';
import { USAGE_TABLE } from './usage-table.js';

/** Schema version; a file with another one is quarantined. */
const VERSION = 4;

/**
 * `records` holds the small columns, `texts` the JSON, so that a full scan of `records` stays cheap: 0.2 µs a row. That is
 * why there is no index over all of them but the primary key: each would cost every write more than it saves the rare
 * read.
 */
const TABLES = `
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    changed INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    request_id TEXT,
    started_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    key_name TEXT,
    model TEXT,
    account TEXT,
    is_completion INTEGER NOT NULL,
    is_stranger INTEGER NOT NULL,
    total_ms REAL,
    first_token_ms REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;

  CREATE INDEX strangers ON records (seq, bytes) WHERE is_stranger = 1;

  CREATE TABLE texts (
    seq INTEGER PRIMARY KEY,
    brief TEXT NOT NULL,
    texts TEXT,
    request_body TEXT,
    response_body TEXT
  ) STRICT;
`;

/** Beside the schema, so that files from before recordings are kept. */
const RECORDINGS_TABLE =
  'CREATE TABLE IF NOT EXISTS recordings (seq INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT';

/**
 * Beside the schema as well, so that files from before these columns are kept; releases before leave them null. That is
 * not made up for, which would write all of a large file at the start: `orInJson` reads the first four of such records,
 * and of the others nothing is known.
 */
const ADDED_COLUMNS = {
  conversation: 'TEXT',
  client: 'TEXT',
  reason: 'TEXT',
  saved_characters: 'INTEGER',
  queued_ms: 'REAL',
  cached_tokens: 'INTEGER',
};
/** Kept while a connection reads, so that a scan and its window read the file once. */
const CACHE_KIB = 16_384;

/** Opens the file for writing and creates it, and its folder, if needed. Throws as `openVersionedFile`. */
export function openForWriting(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openVersionedFile(path, { version: VERSION, tables: TABLES + USAGE_TABLE, addMissing });
}

function addMissing(database: DatabaseSync): void {
  database.exec(RECORDINGS_TABLE);
  const there = database
    .prepare("SELECT name FROM pragma_table_info('records')")
    .all()
    .map(({ name }) => name);
  for (const [name, type] of Object.entries(ADDED_COLUMNS)) {
    if (!there.includes(name)) {
      database.exec(`ALTER TABLE records ADD COLUMN ${name} ${type}`);
    }
  }
}

/** Opens the file read-only; sees committed data. */
export function openForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: FILE_BUSY_TIMEOUT_MS });
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  return database;
}
