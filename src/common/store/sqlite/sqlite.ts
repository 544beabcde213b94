import { type DatabaseSync } from 'node:sqlite';

/** Primary result codes of SQLite: the low byte of finer codes. */
const BUSY = 5;
const READ_ONLY = 8;
const IO_FAULT = 10;
export const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/** For a value that does not fit: too big, constraint, mismatch, out of range. */
const VALUE_FAULTS = [18, 19, 20, 25];

/** Pages that are given back at once, and free pages that are looked through for all of them: SQLite does that for each. */
const MAX_PAGES = 2 ** 13;
const MAX_SEARCHED = 2 ** 27;

/** Runs `work` in a transaction that takes the write lock at once. Throws what `work` and SQLite throw. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself.
    if (database.isTransaction) {
      database.exec('ROLLBACK');
    }
    throw error;
  }
}

/** Gives free pages of a file back to the disk, as many as take some tenths of a second. Throws what SQLite throws. */
export function shrink(database: DatabaseSync): void {
  const free = selectNumber(database, 'PRAGMA freelist_count');
  if (free > 0) {
    const pages = Math.min(MAX_PAGES, Math.ceil(MAX_SEARCHED / free));
    database.exec(`PRAGMA incremental_vacuum(${pages})`);
  }
}

/** First column of the first row as a number; 0 without rows. */
export function selectNumber(database: DatabaseSync, sql: string): number {
  const row = database.prepare(sql).get() ?? {};
  return Number(Object.values(row)[0] ?? 0);
}

/** Whether another connection holds the file. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** Whether the disk is full. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === FULL || (error as NodeJS.ErrnoException).code === 'ENOSPC';
}

/** Whether the file, or the disk, may only be read. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY;
}

/** Whether the disk cannot be written at present, being full or for another reason. */
export function isDiskFault(error: unknown): boolean {
  return [READ_ONLY, IO_FAULT, FULL].includes(codeOf(error));
}

/** Whether an error is transient: the same connection may be used again. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code === FULL || code === BUSY;
}

/** Whether an error means that the file is damaged or no database. */
export function isCorruption(error: unknown): boolean {
  const code = codeOf(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** Whether an error is about the values of one record, so that other records can be stored. */
export function isValueFault(error: unknown): boolean {
  const code = codeOf(error);
  // Without a result code it is thrown by the binding: a value of a type that SQLite does not know.
  return code === 0 ? error instanceof TypeError || error instanceof RangeError : VALUE_FAULTS.includes(code);
}

/** 0 for errors that are not SQLite's. */
function codeOf(error: unknown): number {
  return Number((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
}
