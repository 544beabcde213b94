import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { DAY_US } from '../records/log-day.js';
import { type EncodedPart, EncodedRecords, SENT_COLUMNS, type SentRecord } from './encoded-records.js';
import { OutgoingUsage, type UsageBatch } from './outgoing-usage.js';

/** Bounds of a batch, which ends with the row of the outbox that reaches one: bytes of records, by their sizes in the file. */
const BATCH_BYTES = 2 ** 20;
/** Most records in a batch. */
const BATCH_RECORDS = 1000;
/** Bound of what is kept in memory until it is shipped: some 2,000 records. */
const KEPT_BYTES = 2 ** 22;

/** Records of a batch. */
export interface OutgoingArrays {
  /** Their days, counted from 1970. */
  readonly days: readonly number[];
  /** An array of PostgreSQL for each of `SENT_COLUMNS`, all in one block of memory. A record may occur in several states. */
  readonly arrays: readonly Uint8Array<ArrayBuffer>[];
}

/** The next records to ship. */
interface OutgoingBatch {
  /** Undefined if there are none. */
  readonly records: OutgoingArrays | undefined;
  /** Numbers of records to delete. */
  readonly removed: readonly number[];
  /** Number of the batch's last row of the outbox; 0 if it is empty. */
  readonly last: number;
  readonly isLast: boolean;
}

/** A batch to ship from a file. */
export interface Outgoing extends OutgoingBatch {
  readonly usage: UsageBatch;
}

/** The records of a row of the outbox. */
interface KeptRow extends EncodedPart {
  readonly row: number;
}

/** The rows of the batch, and the last one of the outbox. */
const ROWS = `
  SELECT max(number) AS last, count(*) AS count, sum(is_removed) AS removals,
    (SELECT max(number) FROM outbox_rows) AS newest
  FROM (
    SELECT number, is_removed, sum(bytes) OVER earlier - bytes AS bytes, sum(records) OVER earlier - records AS records
    FROM (SELECT number, is_removed, bytes, records FROM outbox_rows ORDER BY number LIMIT ${BATCH_RECORDS})
    WINDOW earlier AS (ORDER BY number)
  ) WHERE bytes <= ${BATCH_BYTES} AND records <= ${BATCH_RECORDS}`;

interface BatchRows {
  /** Null if the outbox is empty, and then so is `newest`. */
  readonly last: number | null;
  readonly count: number;
  readonly removals: number;
  readonly newest: number | null;
}

const READ = `
  SELECT ${SENT_COLUMNS.map(({ name, member }) => `${name} AS "${member}"`).join(', ')} FROM (
    SELECT DISTINCT value AS seq FROM outbox_rows, json_each(seqs) WHERE number <= ? AND is_removed = 0 AND value >= ?
  ) JOIN records USING (seq) JOIN texts USING (seq)`;

/** Of a record that the file's limits have deleted, an earlier state may have been shipped. */
const REMOVED = `
  SELECT DISTINCT value AS seq FROM outbox_rows, json_each(seqs)
  WHERE number <= ? AND (is_removed = 1 OR value NOT IN (SELECT seq FROM records))`;

/**
 * What waits in the outbox of an open file. Records that were written lately are still in memory, encoded; to read them
 * again would take the processor four times as long. Throws what SQLite throws.
 */
export class OutgoingRecords {
  private encoded = new EncodedRecords();
  /** What is encoded, oldest first. */
  private kept: KeptRow[] = [];
  private readonly rows: StatementSync;
  private readonly records: StatementSync;
  private readonly removed: StatementSync;
  private readonly usage: OutgoingUsage;

  constructor(database: DatabaseSync) {
    this.rows = database.prepare(ROWS);
    this.records = database.prepare(READ);
    this.removed = database.prepare(REMOVED);
    this.usage = new OutgoingUsage(database);
  }

  /** Keeps the records of a row of the outbox; those of the oldest rows are given up for them. */
  keep(row: number, records: readonly SentRecord[]): void {
    this.kept.push({ row, ...this.encoded.add(records) });
    while (this.encoded.bytes > KEPT_BYTES) {
      this.dropOldest();
    }
  }

  /** Forgets the records in memory: their rows may differ after a rollback. */
  forget(): void {
    this.encoded = new EncodedRecords();
    this.kept = [];
  }

  /**
   * Takes the oldest records, about a mebibyte.
   * @param firstDay records of earlier days are too old to be kept, and passed over
   */
  next(firstDay: number): Outgoing {
    const rows = this.rows.get() as unknown as BatchRows;
    const { last, newest } = rows;
    const usage = this.usage.read();
    if (last === null) {
      return { records: undefined, removed: [], last: 0, isLast: true, usage };
    }
    const kept = this.takeKept(rows, firstDay);
    return {
      records: kept ?? this.read(last, firstDay),
      removed: kept ? [] : this.removed.all(last).map(({ seq }) => Number(seq)),
      last,
      isLast: last === newest,
      usage,
    };
  }

  /** Takes the batch from memory. @returns undefined if memory may differ from the file */
  private takeKept({ last, count, removals }: BatchRows, firstDay: number): OutgoingArrays | undefined {
    const taken = this.kept.filter(({ row }) => row <= (last ?? 0));
    const isWhole = taken.length === count && removals === 0;
    const isYoung = taken.every(({ days }) => Math.min(...days) >= firstDay);
    if (!isWhole || !isYoung) {
      taken.forEach(() => this.dropOldest());
      return undefined;
    }
    this.kept.splice(0, taken.length);
    return { days: daysOf(taken), arrays: this.encoded.take(taken) };
  }

  private dropOldest(): void {
    const oldest = this.kept.shift();
    if (oldest) {
      this.encoded.drop(oldest);
    }
  }

  private read(last: number, firstDay: number): OutgoingArrays | undefined {
    const encoded = new EncodedRecords();
    const part = encoded.add(this.records.all(last, firstDay * DAY_US) as unknown as SentRecord[]);
    return part.count === 0 ? undefined : { days: daysOf([part]), arrays: encoded.take([part]) };
  }
}

function daysOf(parts: readonly EncodedPart[]): readonly number[] {
  return [...new Set(parts.flatMap(({ days }) => [...days]))];
}

/** The memory of a batch, to be moved from thread to thread. */
export function blocksOf({ records }: Outgoing): readonly ArrayBuffer[] {
  return records ? [...new Set(records.arrays.map(({ buffer }) => buffer))] : [];
}
