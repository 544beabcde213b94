import { type DatabaseSync } from 'node:sqlite';
import { type SizedRecord } from '../outbox/outbox.js';

/**
 * Marks all pending records of a file as crashed, each with a new number.
 * @param last highest number in the file
 * @returns the records, which have the numbers after it
 */
export function closePending(database: DatabaseSync, last: number): readonly SizedRecord[] {
  const close = database.prepare("UPDATE records SET outcome = 'crashed', changed = ? WHERE seq = ?");
  const closeTexts = database.prepare(
    `UPDATE texts SET brief = ${crashed('brief')},
       texts = CASE WHEN texts GLOB '{*' THEN ${crashed('texts')} ELSE texts END WHERE seq = ?`,
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

/** SQL that marks a record's JSON as crashed: the error of an exchange; the outcome of a request and of its running attempt. */
function crashed(column: string): string {
  const last = '$.attempts[#-1].outcome';
  return `CASE
    WHEN json_extract(${column}, '$.kind') <> 'request'
      THEN json_set(${column}, '$.error', 'The gateway was killed.')
    WHEN json_extract(${column}, '${last}') = 'running'
      THEN json_set(${column}, '$.outcome', 'crashed', '${last}', 'crashed')
    ELSE json_set(${column}, '$.outcome', 'crashed') END`;
}
