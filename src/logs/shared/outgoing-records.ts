import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { DAY_US, logDayOf } from './log-days.js';
import { OutgoingUsage, type UsageBatch } from './outgoing-usage.js';

/** Bounds of a batch, which ends with the row of the outbox that reaches one: bytes of records, by their sizes in the file. */
const BATCH_BYTES = 2 ** 20;
/** Likewise, in records. */
const BATCH_RECORDS = 500;
/** Time limit of a read for the writing thread, in milliseconds. */
const BUSY_TIMEOUT_MS = 2000;

/** What is sent of a record, as PostgreSQL's types. Its other columns are told by its `brief`: see `TOLD_COLUMNS`. */
export const SENT_COLUMNS = {
  seq: 'bigint',
  changed: 'bigint',
  outcome: 'text',
  bytes: 'bigint',
  brief: 'json',
  texts: 'text',
  request_body: 'text',
  response_body: 'text',
} as const;

/** Records of a batch, as they stand in the file. */
export interface OutgoingText {
  /** Their days, counted from 1970. */
  readonly days: readonly number[];
  /**
   * UTF-8: JSON objects with commas between them, whose members are `SENT_COLUMNS`. The brackets of an array are added
   * where it is read, since each would take a copy of the whole here.
   */
  readonly json: Buffer;
}

/** The next records to ship. */
interface OutgoingBatch {
  /** Undefined if there are none. */
  readonly records: OutgoingText | undefined;
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

interface OpenFile {
  readonly database: DatabaseSync;
  readonly inode: number;
  readonly end: StatementSync;
  readonly records: StatementSync;
  readonly days: StatementSync;
  readonly removed: StatementSync;
  readonly usage: OutgoingUsage;
}

/** The last row of the batch, and that of the outbox. */
const END = `
  SELECT max(number) AS last, (SELECT max(number) FROM outbox_rows) AS newest FROM (
    SELECT number, sum(bytes) OVER earlier - bytes AS bytes, sum(records) OVER earlier - records AS records
    FROM (SELECT number, bytes, records FROM outbox_rows ORDER BY number LIMIT ${BATCH_RECORDS})
    WINDOW earlier AS (ORDER BY number)
  ) WHERE bytes <= ${BATCH_BYTES} AND records <= ${BATCH_RECORDS}`;

/** Only texts are quoted: what else there is stands in JSON as it is. SQLite's `json_object` takes thrice the time. */
const MEMBERS = Object.entries(SENT_COLUMNS).map(
  ([name, type]) => `'"${name}":', ${type === 'text' ? `json_quote(${name})` : name}`,
);

/**
 * SQLite makes the JSON of the whole batch, since an object of JavaScript for each record costs several times the processor
 * time, and its bytes, which are sent as they are. A record that changed twice is sent once.
 */
const READ = `
  SELECT min(seq) AS oldest, max(seq) AS newest,
    CAST(group_concat(concat('{', ${MEMBERS.join(", ',', ")}, '}')) AS BLOB) AS json
  FROM (
    SELECT DISTINCT value AS seq FROM outbox_rows, json_each(seqs) WHERE number <= ? AND is_removed = 0 AND value >= ?
  ) JOIN records USING (seq) JOIN texts USING (seq)`;

/** Row of `READ`, with numbers of records. */
interface ReadRecords {
  readonly oldest: number;
  readonly newest: number;
  /** Null if there are no records, and then the others are, too. */
  readonly json: Uint8Array | null;
}

/** The days of a batch, asked for where there are several: for each batch it would take a fifth of the time of `READ`. */
const DAYS = `
  SELECT DISTINCT value / ${DAY_US} AS day FROM outbox_rows, json_each(seqs)
  WHERE number <= ? AND is_removed = 0 AND value >= ? ORDER BY day`;

const REMOVED = 'SELECT value AS seq FROM outbox_rows, json_each(seqs) WHERE number <= ? AND is_removed = 1';

/** Reads the outbox of a file. The file stays open, until another has taken its place. */
export class OutgoingRecords {
  private readonly path: string;
  private file: OpenFile | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Reads what is oldest, about a mebibyte of it. Throws what SQLite throws.
   * @param firstDay records of earlier days are too old to be kept, and passed over
   */
  read(firstDay: number): Outgoing {
    try {
      const file = this.opened();
      return { ...readBatch(file, firstDay), usage: file.usage.read() };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private opened(): OpenFile {
    const inode = statSync(this.path).ino;
    if (this.file?.inode !== inode) {
      this.close();
      const database = new DatabaseSync(this.path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
      this.file = {
        database,
        inode,
        end: database.prepare(END),
        records: database.prepare(READ),
        days: database.prepare(DAYS),
        removed: database.prepare(REMOVED),
        usage: new OutgoingUsage(database),
      };
    }
    return this.file;
  }

  private close(): void {
    this.file?.database.close();
    this.file = undefined;
  }
}

function readBatch({ end, records, days, removed }: OpenFile, firstDay: number): OutgoingBatch {
  const { last, newest } = end.get() as { last: number | null; newest: number | null };
  if (last === null) {
    return { records: undefined, removed: [], last: 0, isLast: true };
  }
  const from = firstDay * DAY_US;
  const read = records.get(last, from) as unknown as ReadRecords;
  return {
    records: read.json
      ? {
          days: isOneDay(read) ? [logDayOf(read.newest)] : days.all(last, from).map(({ day }) => Number(day)),
          json: Buffer.from(read.json.buffer, read.json.byteOffset, read.json.length),
        }
      : undefined,
    removed: removed.all(last).map(({ seq }) => Number(seq)),
    last,
    isLast: last === newest,
  };
}

function isOneDay({ oldest, newest }: ReadRecords): boolean {
  return logDayOf(oldest) === logDayOf(newest);
}
