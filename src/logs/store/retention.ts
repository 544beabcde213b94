import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { selectNumber } from './log-database.js';

/** How full the file may get, as a part of its limit; the rest is for what is written before the next look. */
const FULL = 0.85;
/** What one transaction may add, and what one record may take, as parts of the limit. */
const BATCH = 1 / 16;
const RECORD = 1 / 8;
const MAX_BATCH_BYTES = 8 * 2 ** 20;
/** Pages that may gather in the write-ahead log before they go into the file. */
const MAX_WAL_PAGES = 1000;
const MIN_WAL_PAGES = 16;
/** Rows deleted in one transaction. */
const SLICE = 500;
/** Slices deleted for their age at one go: after a long pause there may be many, and writing must go on. */
const AGE_SLICES = 20;

/** Deletes the oldest records of a file so that it stays within its limits. */
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

  /** Bytes that one transaction may add. */
  get batchBytes(): number {
    return Math.min(MAX_BATCH_BYTES, this.maxBytes * BATCH);
  }

  /** Bytes that one record may take. */
  get recordBytes(): number {
    return this.maxBytes * RECORD;
  }

  fileBytes(): number {
    return this.pages(this.pageCount) * this.pageBytes;
  }

  setLimit(maxBytes: number): void {
    if (maxBytes === this.maxBytes) {
      return;
    }
    this.maxBytes = maxBytes;
    const pages = Math.floor((maxBytes * BATCH) / this.pageBytes);
    const walPages = Math.max(MIN_WAL_PAGES, Math.min(MAX_WAL_PAGES, pages));
    this.database.exec(
      `PRAGMA wal_autocheckpoint = ${walPages}; PRAGMA journal_size_limit = ${walPages * this.pageBytes}`,
    );
  }

  /** @returns how many records were deleted */
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

  /** @returns how many records were deleted */
  dropByAge(keepFrom: number): number {
    // A number is never below its time in microseconds.
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

  private hasOlderThan(number: number): boolean {
    const { seq } = this.first.get() ?? {};
    return typeof seq === 'number' && seq < number;
  }

  private excess(): number {
    const used = (this.pages(this.pageCount) - this.pages(this.freeCount)) * this.pageBytes;
    return used - this.maxBytes * FULL;
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
