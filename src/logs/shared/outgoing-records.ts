import { DatabaseSync } from 'node:sqlite';
import { REMOVED, type ShippedMark } from '../store/outbox.js';
import { type OutgoingUsage, readOutgoingUsage } from './outgoing-usage.js';

/** Most bytes of one batch, but for its first record. */
const BATCH_BYTES = 2 ** 20;
/** Size of a record without its texts. */
const ROW_BYTES = 200;
/** How long a read waits for the writing thread. */
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

/** A record as it stands in the file; its members are named like the columns. */
export type RecordRow = Readonly<Record<keyof typeof RECORD_COLUMNS, string | number | null>> & {
  readonly seq: number;
  readonly changed: number;
};

/** The next records to ship. */
interface OutgoingBatch {
  readonly rows: readonly RecordRow[];
  /** Numbers of records to delete. */
  readonly removed: readonly number[];
  /** What this batch takes out of the outbox, records included that the file has dropped since. */
  readonly marks: readonly ShippedMark[];
  readonly isLast: boolean;
}

/** What there is to ship from a file. */
export interface Outgoing extends OutgoingBatch {
  readonly usage: OutgoingUsage;
}

const NAMES = Object.keys(RECORD_COLUMNS).filter((name) => name !== 'seq');

/** Reads what is oldest in the outbox of a file, about a mebibyte of it. Throws what SQLite throws. */
export function readOutgoing(path: string): Outgoing {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const found = database
      .prepare(
        `SELECT outbox.seq, outbox.changed AS mark, records.seq IS NOT NULL AS is_there,
           ${NAMES.map((name) => (name === 'changed' ? 'records.changed' : name)).join(', ')}
         FROM outbox LEFT JOIN records USING (seq) LEFT JOIN texts USING (seq) ORDER BY outbox.seq`,
      )
      .iterate() as Iterable<RecordRow & { readonly mark: number; readonly is_there: number }>;
    return { ...batchOf(found), usage: readOutgoingUsage(database) };
  } finally {
    database.close();
  }
}

function batchOf(
  found: Iterable<RecordRow & { readonly mark: number; readonly is_there: number }>,
): OutgoingBatch {
  const rows: RecordRow[] = [];
  const removed: number[] = [];
  const marks: ShippedMark[] = [];
  let bytes = 0;
  for (const { mark, is_there: isThere, ...row } of found) {
    const size = isThere ? ROW_BYTES + sizeOf(row) : 0;
    if (marks.length >= MAX_BATCH_ROWS || (rows.length > 0 && bytes + size > BATCH_BYTES)) {
      return { rows, removed, marks, isLast: false };
    }
    bytes += size;
    marks.push([row.seq, mark]);
    if (mark === REMOVED) {
      removed.push(row.seq);
    } else if (isThere) {
      rows.push(row);
    }
  }
  return { rows, removed, marks, isLast: true };
}

function sizeOf({ brief, texts, request_body: request, response_body: response }: RecordRow): number {
  return [brief, texts, request, response].reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
}
