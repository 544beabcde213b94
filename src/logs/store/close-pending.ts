import { type DatabaseSync } from 'node:sqlite';
import { type SizedRecord } from '../outbox/outbox.js';
import { crashedText } from '../records/crashed-text.js';

/**
 * Marks all pending records of a file as crashed, each with a new number.
 * @param last highest number in the file
 * @returns the records, which have the numbers after it
 */
export function closePending(database: DatabaseSync, last: number): readonly SizedRecord[] {
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
