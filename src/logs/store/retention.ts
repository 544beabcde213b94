import { type DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { inTransaction, selectNumber, shrink } from '../../common/store/sqlite/sqlite.js';

/** Fill level above which records are deleted, as a share of the limit; the rest is room for the next batch. */
const HIGH_WATER = 0.85;
/** Largest transaction and largest record, as shares of the limit. */
const BATCH_SHARE = 1 / 16;
const RECORD_SHARE = 1 / 8;
/** Share of the limit for records of strangers, who must not push out everybody else's. */
const STRANGER_SHARE = 1 / 50;
const MAX_BATCH_BYTES = 8 * 2 ** 20;
/** Bounds of the write-ahead log before a checkpoint, in pages. */
const MAX_WAL_PAGES = 1000;
const MIN_WAL_PAGES = 16;
/** Rows deleted in one transaction, and their bytes, about. */
const SLICE = 500;
const SLICE_BYTES = 2 ** 20;
/**
 * Slices deleted per call. After a long pause many rows are too old, and after a limit was lowered many are too much: new
 * records must not wait for all.
 */
const SLICES = 20;

/** A row of `seq` and `bytes`. */
type SizeRow = Readonly<Record<string, SQLOutputValue>>;

/** Keeps a file within its size and age limits by deleting the oldest records. Throws what SQLite throws. */
export class Retention {
  private readonly database: DatabaseSync;
  private readonly pageBytes: number;
  private readonly oldest: StatementSync;
  private readonly oldestStrangers: StatementSync;
  private readonly strangerBytes: StatementSync;
  private readonly first: StatementSync;
  private readonly pageCount: StatementSync;
  private readonly freeCount: StatementSync;
  private maxBytes = 0;
  /** Whether the latest call of `dropByBytes` has left records for the next. */
  isOverfull = false;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.pageBytes = selectNumber(database, 'PRAGMA page_size');
    this.oldest = database.prepare(`SELECT seq, bytes FROM records ORDER BY seq LIMIT ${SLICE}`);
    this.oldestStrangers = database.prepare(
      `SELECT seq, bytes FROM records WHERE is_stranger = 1 ORDER BY seq LIMIT ${SLICE}`,
    );
    this.strangerBytes = database.prepare('SELECT sum(bytes) FROM records WHERE is_stranger = 1');
    this.first = database.prepare('SELECT min(seq) AS seq FROM records');
    this.pageCount = database.prepare('SELECT page_count FROM pragma_page_count()');
    this.freeCount = database.prepare('SELECT freelist_count FROM pragma_freelist_count()');
  }

  /** Largest transaction, in bytes. */
  get batchBytes(): number {
    return Math.min(MAX_BATCH_BYTES, this.maxBytes * BATCH_SHARE);
  }

  /** Largest record, in bytes. */
  get recordBytes(): number {
    return this.maxBytes * RECORD_SHARE;
  }

  fileBytes(): number {
    return firstNumber(this.pageCount) * this.pageBytes;
  }

  setLimit(maxBytes: number): void {
    if (maxBytes === this.maxBytes) {
      return;
    }
    this.maxBytes = maxBytes;
    const pages = Math.floor((maxBytes * BATCH_SHARE) / this.pageBytes);
    const walPages = Math.max(MIN_WAL_PAGES, Math.min(MAX_WAL_PAGES, pages));
    this.database.exec(
      `PRAGMA wal_autocheckpoint = ${walPages}; PRAGMA journal_size_limit = ${walPages * this.pageBytes}`,
    );
  }

  /** @returns number of records deleted */
  dropByBytes(): number {
    let dropped = 0;
    let slices = 0;
    for (let excess = this.excess(); excess > 0 && slices < SLICES; excess = this.excess()) {
      const last = lastOf(this.oldestRows(), Math.min(excess, SLICE_BYTES));
      if (last === undefined) {
        break;
      }
      dropped += this.drop('seq <= ?', last);
      slices++;
    }
    this.isOverfull = slices === SLICES;
    if (this.fileBytes() > this.maxBytes) {
      shrink(this.database);
    }
    return dropped;
  }

  /** Deletes the oldest records of strangers above their share. @returns number of records deleted */
  dropStrangers(): number {
    const share = this.maxBytes * STRANGER_SHARE;
    let dropped = 0;
    for (let slice = 0; slice < SLICES && firstNumber(this.strangerBytes) > share; slice++) {
      // More than needed, so that not every write has to delete.
      const excess = firstNumber(this.strangerBytes) - share * HIGH_WATER;
      const last = lastOf(this.oldestStrangers.all(), excess);
      if (last === undefined) {
        break;
      }
      dropped += this.drop('seq <= ? AND is_stranger = 1', last);
    }
    return dropped;
  }

  /**
   * @param keepFrom Unix milliseconds; older records are deleted
   * @returns number of records deleted
   */
  dropByAge(keepFrom: number): number {
    // A seq is never below its time in microseconds.
    const before = keepFrom * 1000;
    let dropped = 0;
    for (let slice = 0; slice < SLICES && this.hasOlderThan(before); slice++) {
      const old = this.oldestRows().filter(({ seq }) => Number(seq) < before);
      const last = old.at(-1);
      if (last === undefined) {
        break;
      }
      dropped += this.drop('seq <= ?', Number(last.seq));
    }
    return dropped;
  }

  private hasOlderThan(limit: number): boolean {
    const { seq } = this.first.get() ?? {};
    return typeof seq === 'number' && seq < limit;
  }

  /** Bytes above the high-water mark; zero or less if there is room. */
  private excess(): number {
    const used = (firstNumber(this.pageCount) - firstNumber(this.freeCount)) * this.pageBytes;
    return used - this.maxBytes * HIGH_WATER;
  }

  private oldestRows(): SizeRow[] {
    return this.oldest.all();
  }

  /** Deletes the records that a condition on `records` selects by a number. */
  private drop(condition: string, lastSeq: number): number {
    return inTransaction(this.database, () => {
      for (const table of ['texts', 'recordings']) {
        this.database
          .prepare(`DELETE FROM ${table} WHERE seq IN (SELECT seq FROM records WHERE ${condition})`)
          .run(lastSeq);
      }
      const { changes } = this.database.prepare(`DELETE FROM records WHERE ${condition}`).run(lastSeq);
      return Number(changes);
    });
  }
}

/** `seq` of the first row with which the bytes of all rows up to it reach the excess, else of the last row. */
function lastOf(rows: readonly SizeRow[], excess: number): number | undefined {
  let rest = excess;
  let last: number | undefined;
  for (const { seq, bytes } of rows) {
    last = Number(seq);
    rest -= Number(bytes);
    if (rest <= 0) {
      break;
    }
  }
  return last;
}

function firstNumber(statement: StatementSync): number {
  return Number(Object.values(statement.get() ?? {})[0]);
}
