import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How long a statement waits for another process that holds the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 2000;

/** Of the tables below; a file of any other version is put aside. */
const VERSION = 2;

/**
 * `records` is small, so that filters and figures can run through all of it; the texts are elsewhere. There is no index
 * but the one by `seq`: whatever else is looked for is found by a run through `records`, which costs 0.2 µs a row,
 * while an index would cost each record more when it is written.
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
    model TEXT,
    account TEXT,
    is_completion INTEGER NOT NULL,
    total_ms REAL,
    first_token_ms REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE texts (
    seq INTEGER PRIMARY KEY,
    brief TEXT NOT NULL,
    texts TEXT,
    request_body TEXT,
    response_body TEXT
  ) STRICT;
`;

export const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const FULL = 13;
const BUSY = 5;

/** Whether an error says that the file itself is of no use. */
export function isCorruption(error: object): boolean {
  const code = codeOf(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** Whether the same connection may do better later. */
export function isPassing(error: object): boolean {
  const code = codeOf(error);
  return code === FULL || code === BUSY;
}

/** Opens the file for writing, made if need be. Throws what SQLite throws, and `WrongVersionError`. */
export function openForWriting(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Vacuuming in steps gives space back when the limit is lowered; it must be chosen before the first table.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const version = selectNumber(database, 'PRAGMA user_version');
    if (version === 0 && selectNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0) {
      database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${VERSION}; COMMIT`);
    } else if (version !== VERSION) {
      throw new WrongVersionError(`it has version ${version}, this release writes ${VERSION}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A connection that sees what is committed and changes nothing. */
export function openForReading(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

export class WrongVersionError extends Error {
  override name = 'WrongVersionError';
}

/** Renames a file that cannot be used, so that a new one can be begun and nothing is lost. Returns its new name. */
export function putAside(path: string, now: number): string {
  const aside = `${path}.corrupt-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  renameSync(path, aside);
  if (existsSync(`${path}-wal`)) {
    renameSync(`${path}-wal`, `${aside}-wal`);
  }
  rmSync(`${path}-shm`, { force: true });
  return aside;
}

export function selectNumber(database: DatabaseSync, sql: string): number {
  const row = database.prepare(sql).get() ?? {};
  return Number(Object.values(row)[0] ?? 0);
}

/** SQLite's primary result code; 0 for what is no error of SQLite. */
function codeOf(error: object): number {
  return 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}
