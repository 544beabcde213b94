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
