import { type DatabaseSync } from 'node:sqlite';
import { CORRUPT, inTransaction, isValueFault, selectNumber } from '../../common/store/sqlite/sqlite.js';
import { type Outbox, type SizedRecord } from '../outbox/outbox.js';
import { crashedText } from '../records/crashed-text.js';
import { type StoredRecord } from '../records/stored-record.js';
import { RecordRows, storedBytes } from './record-rows.js';
import { Retention } from './retention.js';
import { UsageTable } from './usage-table.js';

/** Limits of the store. */
export interface StoreLimits {
  /** Size of the file. */
  readonly maxBytes: number;
  /** Unix milliseconds; records that began earlier are deleted. */
  readonly keepFrom: number;
  /** Unix milliseconds; daily usage is kept for a year. */
  readonly now: number;
}

export interface StoreSize {
  /** Number of records. */
  readonly entries: number;
  /** Size of the file. */
  readonly bytes: number;
  /** Whether the latest write has left records that are too much: the next ones delete them. */
  readonly isOverfull: boolean;
}

/** Writes records to an open file and keeps it within its limits. Throws what SQLite throws. */
export class RecordWriter {
  private readonly database: DatabaseSync;
  private readonly retention: Retention;
  private readonly usage: UsageTable;
  /** `seq` of the records stored as pending by this process; a later state replaces the row. */
  private readonly pending = new Set<number>();
  private readonly rows: RecordRows;
  private readonly outbox: Outbox | undefined;
  private entries: number;

  /** @param outbox of records that are shipped elsewhere; none if they are not */
  constructor(database: DatabaseSync, outbox?: Outbox) {
    this.database = database;
    this.outbox = outbox;
    this.retention = new Retention(database);
    this.usage = new UsageTable(database);
    this.rows = new RecordRows(database);
    this.entries = selectNumber(database, 'SELECT count(*) FROM records');
  }

  get size(): StoreSize {
    const { isOverfull } = this.retention;
    return { entries: this.entries, bytes: this.retention.fileBytes(), isOverfull };
  }

  /** Highest number in the file; 0 if it is empty. */
  private lastNumber(): number {
    return selectNumber(this.database, 'SELECT max(changed) FROM records');
  }

  /**
   * Marks records left pending by a previous process as crashed, each with a new number.
   * @returns highest number in the file afterwards
   */
  closePending(): number {
    const last = this.lastNumber();
    let closed = 0;
    this.inTransaction(() => {
      this.usage.countCrashed();
      const pending = closePending(this.database, last);
      this.outbox?.noteStored(pending);
      closed = pending.length;
    });
    return last + closed;
  }

  /**
   * Writes records in transactions bounded by `Retention.batchBytes`. A record that cannot be stored is left out alone.
   * @param onWritten called after each transaction with the number of records dealt with so far
   * @param onRejected called for each record that was left out
   */
  write(
    records: readonly StoredRecord[],
    limits: StoreLimits,
    onWritten: (count: number) => void,
    onRejected: (record: StoredRecord, reason: string) => void,
  ): void {
    this.retention.setLimit(limits.maxBytes);
    for (let from = 0; from < records.length;) {
      const to = this.endOfBatch(records, from);
      const batch = records.slice(from, to);
      this.putBatch(batch, onRejected);
      onWritten(to);
      if (batch.some(({ isStranger }) => isStranger)) {
        this.dropped(this.retention.dropStrangers());
      }
      this.dropped(this.retention.dropByBytes());
      from = to;
    }
    if (records.length === 0) {
      // The limit may have been lowered.
      this.dropped(this.retention.dropByBytes());
    }
    this.dropped(this.retention.dropByAge(limits.keepFrom));
    this.usage.dropOld(limits.now);
  }

  /** Throws if the file is damaged. Reads all of it, which takes seconds for a large one. */
  check(): void {
    const [row] = this.database.prepare('PRAGMA quick_check(1)').all();
    const verdict = String(Object.values(row ?? {})[0]);
    if (verdict !== 'ok') {
      throw Object.assign(new Error(verdict), { errcode: CORRUPT });
    }
  }

  /** Deletes pending rows whose final state was dropped. */
  remove(seqs: readonly number[]): void {
    if (seqs.length === 0) {
      return;
    }
    let removed = 0;
    this.inTransaction(() => {
      for (const seq of seqs) {
        removed += this.rows.remove(seq);
        this.pending.delete(seq);
      }
      this.outbox?.noteRemoved(seqs);
    });
    this.entries -= removed;
  }

  /** Counts records that the limits have deleted. */
  private dropped(records: number): void {
    this.entries -= records;
    const { outbox } = this;
    if (records > 0 && outbox) {
      this.inTransaction(() => outbox.trim());
    }
  }

  private putBatch(
    batch: readonly StoredRecord[],
    onRejected: (record: StoredRecord, reason: string) => void,
  ): void {
    try {
      this.inTransaction(() => {
        this.usage.count(batch);
        const sent = batch.map((record) => this.rows.put(record, this.retention.recordBytes));
        this.outbox?.note(sent);
      });
      batch.forEach((record) => this.count(record));
    } catch (error) {
      if (!isValueFault(error)) {
        throw error;
      }
      const [record] = batch;
      if (batch.length === 1 && record) {
        onRejected(record, (error as Error).message);
      } else {
        batch.forEach((one) => this.putBatch([one], onRejected));
      }
    }
  }

  private endOfBatch(records: readonly StoredRecord[], from: number): number {
    let bytes = 0;
    let to = from;
    do {
      bytes += storedBytes(records[to]);
      to += 1;
    } while (to < records.length && bytes + storedBytes(records[to]) <= this.retention.batchBytes);
    return to;
  }

  private count({ seq, outcome }: StoredRecord): void {
    if (!this.pending.delete(seq)) {
      this.entries += 1;
    }
    if (outcome === 'pending') {
      this.pending.add(seq);
    }
  }

  private inTransaction(work: () => void): void {
    try {
      inTransaction(this.database, work);
    } catch (error) {
      this.outbox?.rolledBack();
      throw error;
    }
  }
}

/**
 * Marks all pending records of a file as crashed, each with a new number.
 * @param last highest number in the file
 * @returns the records, which have the numbers after it
 */
function closePending(database: DatabaseSync, last: number): readonly SizedRecord[] {
  database.function('crashed_text', (json) => crashedText(String(json)));
  const close = database.prepare("UPDATE records SET outcome = 'crashed', changed = ? WHERE seq = ?");
  const closeTexts = database.prepare(
    `UPDATE texts SET brief = crashed_text(brief), texts = iif(texts GLOB '{*', crashed_text(texts), texts)
       WHERE seq = ?`,
  );
  const pending = database
    .prepare("SELECT seq, bytes FROM records WHERE outcome = 'pending'")
    .all() as unknown as SizedRecord[];
  pending.forEach(({ seq }, at) => {
    close.run(last + at + 1, seq);
    closeTexts.run(seq);
  });
  return pending;
}
