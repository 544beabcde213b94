import { DatabaseSync } from 'node:sqlite';
import { takePrivateFile } from '../../files/private-path.js';
import { isCorruption, selectNumber } from './sqlite.js';

/** Time limit for a lock held by another process, in milliseconds. */
export const FILE_BUSY_TIMEOUT_MS = 2000;

/** What a file holds. */
export interface FileSchema {
  /** A file with another one is not opened. */
  readonly version: number;
  /** Statements that create the tables of a new file, each with its semicolon. */
  readonly tables: string;
  /** Adds what files of this version by earlier releases lack; runs at each opening. */
  readonly addMissing: (database: DatabaseSync) => void;
}

/**
 * Opens a file for writing, and creates it if needed, in an existing folder. For a worker thread: calls are synchronous.
 * Throws what SQLite throws, or an error of another schema: see `isUnusable`.
 */
export function openVersionedFile(path: string, { version, tables, addMissing }: FileSchema): DatabaseSync {
  takePrivateFile(path);
  const database = new DatabaseSync(path, { timeout: FILE_BUSY_TIMEOUT_MS });
  try {
    // Incremental vacuum returns space when a limit is lowered. The mode must be set before the first table exists.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const found = selectNumber(database, 'PRAGMA user_version');
    if (found === 0 && selectNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0) {
      database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${version}; COMMIT`);
    } else if (found !== version) {
      throw new WrongVersionError(`it has version ${found}, this release writes ${version}`);
    }
    addMissing(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether an error means that a file is damaged, no database, or of another schema: to be quarantined. */
export function isUnusable(error: unknown): boolean {
  return error instanceof WrongVersionError || isCorruption(error);
}

/**
 * Does work that meets an unusable file once more, after `close`: SQLite has one code for damage and for a disk that fails to
 * read for a moment. Throws what the second try throws.
 * @param work opens the file where it is not open
 */
export function tryTwice<T>(work: () => T, close: () => void): T {
  try {
    return work();
  } catch (error) {
    if (!isUnusable(error)) {
      throw error;
    }
    close();
    return work();
  }
}

/** The file was written by a release with another schema. */
class WrongVersionError extends Error {
  override name = 'WrongVersionError';
}
