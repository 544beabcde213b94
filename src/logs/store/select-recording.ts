import { type DatabaseSync } from 'node:sqlite';
import { unpackRecording } from '../records/upstream-recording.js';

/** JSON of a request's recording; undefined without one. */
export function selectRecording(database: DatabaseSync, id: string): string | undefined {
  const row = database
    .prepare(
      "SELECT body FROM records CROSS JOIN recordings USING (seq) WHERE kind = 'request' AND id = ? LIMIT 1",
    )
    .get(id);
  return row?.body instanceof Uint8Array ? unpackRecording(row.body) : undefined;
}

/** A recorded request of the log. */
export interface LoggedRecording {
  readonly seq: number;
  readonly id: string;
  readonly json: string;
}

/**
 * The latest recorded request that began at a time or later; undefined if there is none.
 * @param fromMs Unix milliseconds
 * @param beforeSeq number of the record before which it is looked for; without one, the latest of all
 */
export function selectLatestRecording(
  database: DatabaseSync,
  fromMs: number,
  beforeSeq = Number.MAX_SAFE_INTEGER,
): LoggedRecording | undefined {
  // A seq is never below its time in microseconds, so the primary key bounds the scan.
  const row = database
    .prepare(
      `SELECT seq, id, body FROM records CROSS JOIN recordings USING (seq)
      WHERE kind = 'request' AND seq >= ? AND started_at >= ? AND seq < ? ORDER BY seq DESC LIMIT 1`,
    )
    .get(fromMs * 1000, fromMs, beforeSeq);
  return row?.body instanceof Uint8Array
    ? { seq: Number(row.seq), id: String(row.id), json: unpackRecording(row.body) }
    : undefined;
}
