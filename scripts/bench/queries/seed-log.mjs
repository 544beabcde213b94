import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { toStoredRecord } from '../../../dist/logs/records/stored-record.js';
import { openForWriting } from '../../../dist/logs/store/log-database.js';
import { RecordWriter } from '../../../dist/logs/store/record-writer.js';
import { logRecords } from './log-records.mjs';

/** Records written at once. */
const BATCH = 2000;
/** Above all that is seeded. */
export const ROOM_BYTES = 8 * 2 ** 30;

/** Writes the requests of `logRecords` into the log of a gateway that does not run. @param folder its `DATA_DIR` */
export function seedLog(folder, count, now) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = openForWriting(join(folder, 'logs.db'));
  const writer = new RecordWriter(database);
  const limits = { maxBytes: ROOM_BYTES, keepFrom: 0, now };
  let batch = [];
  const write = () => {
    writer.write(
      batch,
      limits,
      () => undefined,
      ({ id }, reason) => {
        throw new Error(`${id} was not stored: ${reason}`);
      },
    );
    batch = [];
  };
  // A number is not below the record's time in microseconds.
  let seq = 0;
  for (const record of logRecords(count, now)) {
    seq = Math.max(seq + 1, record.startedAt * 1000);
    batch.push(
      toStoredRecord(record, { seq, changed: seq }, record.kind === 'network' ? exchangeBodies() : null),
    );
    if (batch.length === BATCH) {
      write();
    }
  }
  write();
  database.close();
}

function exchangeBodies() {
  return {
    request: JSON.stringify({ message: 'Look at the test of the parser. '.repeat(12) }),
    response: 'data: {"delta":"piece of the answer"}\n\n'.repeat(20),
    isOwnRequest: true,
    secrets: [],
  };
}
