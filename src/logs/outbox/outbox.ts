import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { newNodeName } from '../../common/store/node-name.js';
import { inTransaction } from '../../common/store/sqlite/sqlite.js';
import { type SentRecord } from './encoded-records.js';
import { type Outgoing, OutgoingRecords } from './outgoing-records.js';
import { beginAtTime, leaveUsageOutbox, UsageOutbox } from './usage-outbox.js';

/** Marks of shipped rows. */
export interface ShippedMarks {
  /** Number of the last row of the outbox; 0 for none. */
  readonly last: number;
  /** Numbers of rows of usage in their outbox. */
  readonly usage: readonly number[];
}

/** A record of the file, with its size. */
export type SizedRecord = Pick<SentRecord, 'seq' | 'bytes'>;

/** Bounds of a row, so that a batch of a few rows has the size it should have. */
const ROW_RECORDS = 500;
const ROW_BYTES = 2 ** 18;

/**
 * A row holds the records of one transaction, or of a part of it, since a row for each would cost the writer 3 µs. Rows are
 * only appended and taken out from the front, so that a batch is taken out by the number of its last row. `seqs` is an array
 * in JSON, and `newest` its highest number.
 */
const TABLE = `
  CREATE TABLE outbox_rows (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    seqs TEXT NOT NULL,
    records INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_removed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  ${beginAtTime('outbox_rows')}
  INSERT INTO outbox_rows (seqs, records, newest, bytes)
    SELECT json_group_array(seq), count(*), max(seq), sum(bytes) FROM (
      SELECT seq, bytes, max(sum(bytes) OVER earlier / ${ROW_BYTES}, row_number() OVER earlier / ${ROW_RECORDS}) AS part
      FROM records WINDOW earlier AS (ORDER BY seq)
    ) GROUP BY part ORDER BY part;
`;

const SPOOL = 'CREATE TABLE IF NOT EXISTS spool (node TEXT NOT NULL) STRICT';

/** The records of a file that are to be shipped elsewhere. Throws what SQLite throws. */
export class Outbox {
  /** Name of the file among all that are shipped to one place; kept in the file. */
  readonly node: string;
  private readonly database: DatabaseSync;
  private readonly take: StatementSync;
  private readonly newest: StatementSync;
  private readonly append: StatementSync;
  private readonly trimmed: StatementSync;
  private readonly usage: UsageOutbox;
  private readonly outgoing: OutgoingRecords;
  /** Of records up to this number an earlier state may have been shipped. */
  private shippedTo: number;

  /** @param node name for a file that has none; a new one by default */
  constructor(database: DatabaseSync, node?: string) {
    this.database = database;
    const { name, usage } = inTransaction(database, () => ({
      name: prepare(database, node),
      usage: new UsageOutbox(database),
    }));
    this.node = name;
    this.usage = usage;
    this.outgoing = new OutgoingRecords(database);
    this.shippedTo = Number(database.prepare('SELECT max(seq) AS seq FROM records').get()?.seq ?? 0);
    this.take = database.prepare('DELETE FROM outbox_rows WHERE number <= ?');
    this.newest = database.prepare('SELECT max(newest) AS newest FROM outbox_rows WHERE number <= ?');
    this.append = database.prepare(
      'INSERT INTO outbox_rows (seqs, records, newest, bytes, is_removed) VALUES (?, ?, ?, ?, ?)',
    );
    this.trimmed = database.prepare(
      `DELETE FROM outbox_rows WHERE is_removed = 0 AND number <
         (SELECT number FROM outbox_rows WHERE newest >= (SELECT min(seq) FROM records) ORDER BY number LIMIT 1)
       RETURNING seqs`,
    );
  }

  /** Removes shipped rows; a record that changed meanwhile has a later row. */
  remove({ last, usage }: ShippedMarks): void {
    inTransaction(this.database, () => {
      this.usage.remove(usage);
      this.take.run(last);
    });
  }

  /** What is to be shipped next: see `OutgoingRecords.next`. */
  next(firstDay: number): Outgoing {
    const batch = this.outgoing.next(firstDay);
    // Not only once it is removed: what the file deletes meanwhile may have been shipped.
    this.shippedTo = Math.max(this.shippedTo, Number(this.newest.get(batch.last)?.newest ?? 0));
    return batch;
  }

  /** Notes records that are written, within their transaction; see `rolledBack`. */
  note(records: readonly SentRecord[]): void {
    for (const part of partsOf(records)) {
      this.outgoing.keep(this.noteRow(part), part);
    }
  }

  /** Notes records that stand in the file, within the transaction that changes them. */
  noteStored(records: readonly SizedRecord[]): void {
    partsOf(records).forEach((part) => this.noteRow(part));
  }

  /** Notes records that were deleted without their ends having been shipped. */
  noteRemoved(seqs: readonly number[]): void {
    const records = seqs.map((seq) => ({ seq, bytes: 0 }));
    partsOf(records).forEach((part) => this.noteRow(part, true));
  }

  /** To be called when a transaction with notes was rolled back. */
  rolledBack(): void {
    this.outgoing.forget();
  }

  /**
   * Takes out the oldest rows, as far as their records were deleted by the file's limits. Those of which an earlier state
   * may have been shipped are noted as removed; they are few, as the others have begun since the last shipment. Within a
   * transaction; see `rolledBack`.
   */
  trim(): void {
    const seqs = this.trimmed.all().flatMap((row) => JSON.parse(String(row.seqs)) as number[]);
    this.noteRemoved([...new Set(seqs.filter((seq) => seq <= this.shippedTo))]);
  }

  /** @returns number of the row */
  private noteRow(records: readonly SizedRecord[], isRemoved = false): number {
    const seqs = records.map(({ seq }) => seq);
    const newest = seqs.reduce((highest, seq) => Math.max(highest, seq));
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    const row = this.append.run(JSON.stringify(seqs), seqs.length, newest, bytes, isRemoved ? 1 : 0);
    return Number(row.lastInsertRowid);
  }
}

/** Makes the tables, in a transaction. @returns name of the file; `node`, or a new one, if it has none */
function prepare(database: DatabaseSync, node = newNodeName()): string {
  database.exec(SPOOL);
  // Files of releases that knew another outbox are shipped again, which does no harm.
  if (!has(database, 'outbox_rows') || has(database, 'outbox')) {
    leaveOutbox(database);
    database.exec(TABLE);
  }
  const known = database.prepare('SELECT node FROM spool').get()?.node;
  if (known === undefined) {
    database.prepare('INSERT INTO spool VALUES (?)').run(node);
  }
  return typeof known === 'string' ? known : node;
}

/** Records by rows, within their bounds. */
function partsOf<Sized extends SizedRecord>(records: readonly Sized[]): Sized[][] {
  const parts: Sized[][] = [];
  let partBytes = 0;
  for (const record of records) {
    const part = parts.at(-1);
    if (part && part.length < ROW_RECORDS && partBytes + record.bytes <= ROW_BYTES) {
      part.push(record);
      partBytes += record.bytes;
    } else {
      parts.push([record]);
      partBytes = record.bytes;
    }
  }
  return parts;
}

/** Ends the notes in a file that is no longer shipped; its name stays. */
export function leaveOutbox(database: DatabaseSync): void {
  leaveUsageOutbox(database);
  // The second table and the triggers are those of releases before.
  database.exec(
    `DROP TABLE IF EXISTS outbox_rows; DROP TABLE IF EXISTS outbox;
     DROP TRIGGER IF EXISTS record_put; DROP TRIGGER IF EXISTS record_changed`,
  );
}

function has(database: DatabaseSync, table: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
  );
}
