import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { selectNumber } from './log-database.js';

/** Fill level above which records are deleted, as a share of the limit; the rest is room for the next batch. */
const HIGH_WATER = 0.85;
/** Largest transaction and largest record, as shares of the limit. */
const BATCH_SHARE = 1 / 16;
const RECORD_SHARE = 1 / 8;
const MAX_BATCH_BYTES = 8 * 2 ** 20;
/** Bounds of the write-ahead log before a checkpoint, in pages. */
const MAX_WAL_PAGES = 1000;
const MIN_WAL_PAGES = 16;
/** Rows deleted in one transaction. */
const SLICE = 500;
/** Slices deleted for age per call. After a long pause many rows are too old, and new records must not wait for all. */
const AGE_SLICES = 20;

/** Keeps a file within its size and age limits by deleting the oldest records. Throws what SQLite throws. */
export class Retention {
  private readonly database: DatabaseSync;
  private readonly pageBytes: number;
  private readonly oldest: StatementSync;
  private readonly first: StatementSync;
  private readonly pageCount: StatementSync;
  private readonly freeCount: StatementSync;
  private maxBytes = 0;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.pageBytes = selectNumber(database, 'PRAGMA page_size');
    this.oldest = database.prepare(`SELECT seq, bytes FROM records ORDER BY seq LIMIT ${SLICE}`);
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
    return this.pages(this.pageCount) * this.pageBytes;
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
    for (let excess = this.excess(); excess > 0; excess = this.excess()) {
      const rows = this.oldestRows();
      let last: number | undefined;
      for (const { seq, bytes } of rows) {
        last = seq;
        excess -= bytes;
        if (excess <= 0) {
          break;
        }
      }
      if (last === undefined) {
        break;
      }
      dropped += this.drop(last);
    }
    if (this.fileBytes() > this.maxBytes) {
      this.database.exec('PRAGMA incremental_vacuum');
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
    for (let slice = 0; slice < AGE_SLICES && this.hasOlderThan(before); slice++) {
      const old = this.oldestRows().filter(({ seq }) => seq < before);
      const last = old.at(-1);
      if (last === undefined) {
        break;
      }
      dropped += this.drop(last.seq);
    }
    return dropped;
  }

  private hasOlderThan(limit: number): boolean {
    const { seq } = this.first.get() ?? {};
    return typeof seq === 'number' && seq < limit;
  }

  /** Bytes above the high-water mark; zero or less if there is room. */
  private excess(): number {
    const used = (this.pages(this.pageCount) - this.pages(this.freeCount)) * this.pageBytes;
    return used - this.maxBytes * HIGH_WATER;
  }

  private pages(count: StatementSync): number {
    return Number(Object.values(count.get() ?? {})[0]);
  }

  private oldestRows(): { readonly seq: number; readonly bytes: number }[] {
    return this.oldest.all() as unknown as { seq: number; bytes: number }[];
  }

  private drop(lastSeq: number): number {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const { changes } = this.database.prepare('DELETE FROM records WHERE seq <= ?').run(lastSeq);
      this.database.prepare('DELETE FROM texts WHERE seq <= ?').run(lastSeq);
      this.database.exec('COMMIT');
      return Number(changes);
    } catch (error) {
      if (this.database.isTransaction) {
        this.database.exec('ROLLBACK');
      }
      throw error;
    }
  }
}
