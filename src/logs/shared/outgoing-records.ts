import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { REMOVED, type ShippedMark } from '../store/outbox.js';
import { OutgoingUsage, type UsageBatch } from './outgoing-usage.js';

/** Most characters of one batch, but for its first record. */
const BATCH_LENGTH = 2 ** 20;
/** Time limit of a read for the writing thread, in milliseconds. */
const BUSY_TIMEOUT_MS = 2000;
const MAX_BATCH_ROWS = 2000;

/** Columns of a record in both databases, as PostgreSQL's types. */
export const RECORD_COLUMNS = {
  seq: 'bigint',
  changed: 'bigint',
  kind: 'text',
  id: 'text',
  request_id: 'text',
  started_at: 'bigint',
  outcome: 'text',
  status: 'integer',
  key_name: 'text',
  model: 'text',
  account: 'text',
  conversation: 'text',
  client: 'text',
  reason: 'text',
  is_completion: 'smallint',
  is_stranger: 'smallint',
  total_ms: 'double precision',
  first_token_ms: 'double precision',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  bytes: 'bigint',
  brief: 'text',
  texts: 'text',
  request_body: 'text',
  response_body: 'text',
} as const;

/** A record as it stands in the file. */
export interface OutgoingRecord {
  readonly seq: number;
  /** An object whose members are named like the columns. */
  readonly json: string;
}

/** The next records to ship. */
interface OutgoingBatch {
  readonly records: readonly OutgoingRecord[];
  /** Numbers of records to delete. */
  readonly removed: readonly number[];
  /** Marks to take out of the outbox, those of records included that the file has dropped since. */
  readonly marks: readonly ShippedMark[];
  readonly isLast: boolean;
}

/** A batch to ship from a file. */
export interface Outgoing extends OutgoingBatch {
  readonly usage: UsageBatch;
}

/** Number and mark of a record, and its JSON; null for one that the file has dropped. */
type OutboxRow = readonly [seq: number, mark: number, json: string | null];

interface OpenFile {
  readonly database: DatabaseSync;
  readonly inode: number;
  readonly records: StatementSync;
  readonly usage: OutgoingUsage;
}

const MEMBERS = Object.keys(RECORD_COLUMNS).map((name) => `'${name}', ${sourceOf(name)}`);

/** SQLite makes the JSON, since an object of JavaScript for each record costs several times the processor time. */
const READ = `
  SELECT outbox.seq, outbox.changed,
    CASE WHEN records.seq IS NOT NULL THEN json_object(${MEMBERS.join(', ')}) END
  FROM outbox LEFT JOIN records USING (seq) LEFT JOIN texts USING (seq) ORDER BY outbox.seq`;

/** Reads the outbox of a file. The file stays open, until another has taken its place. */
export class OutgoingRecords {
  private readonly path: string;
  private file: OpenFile | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Reads what is oldest, about a mebibyte of it. Throws what SQLite throws. */
  read(): Outgoing {
    try {
      const { records, usage } = this.opened();
      return {
        ...batchOf(records.iterate() as Iterable<unknown> as Iterable<OutboxRow>),
        usage: usage.read(),
      };
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
      const records = database.prepare(READ);
      records.setReturnArrays(true);
      this.file = { database, inode, records, usage: new OutgoingUsage(database) };
    }
    return this.file;
  }

  private close(): void {
    this.file?.database.close();
    this.file = undefined;
  }
}

function batchOf(found: Iterable<OutboxRow>): OutgoingBatch {
  const records: OutgoingRecord[] = [];
  const removed: number[] = [];
  const marks: ShippedMark[] = [];
  let length = 0;
  for (const [seq, mark, json] of found) {
    const size = json?.length ?? 0;
    if (marks.length >= MAX_BATCH_ROWS || (records.length > 0 && length + size > BATCH_LENGTH)) {
      return { records, removed, marks, isLast: false };
    }
    length += size;
    marks.push([seq, mark]);
    if (mark === REMOVED) {
      removed.push(seq);
    } else if (json !== null) {
      records.push({ seq, json });
    }
  }
  return { records, removed, marks, isLast: true };
}

function sourceOf(name: string): string {
  return name === 'seq' || name === 'changed' ? `records.${name}` : name;
}
