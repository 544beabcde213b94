import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { type SentRecord } from '../outbox/encoded-records.js';
import { redactedBodies } from '../records/exchange-bodies.js';
import { lengthOf, type RecordTexts, type StoredRecord } from '../records/stored-record.js';
import { packRecording } from '../records/upstream-recording.js';

/** Size of a record without its texts. */
const ROW_BYTES = 200;

/** Columns, and the values of a record that they hold. */
const COLUMNS = {
  seq: 'seq',
  changed: 'changed',
  kind: 'kind',
  id: 'id',
  request_id: 'requestId',
  started_at: 'startedAt',
  outcome: 'outcome',
  status: 'status',
  key_name: 'key',
  model: 'model',
  account: 'account',
  is_completion: 'isCompletion',
  is_stranger: 'isStranger',
  total_ms: 'totalMs',
  first_token_ms: 'firstTokenMs',
  prompt_tokens: 'promptTokens',
  completion_tokens: 'completionTokens',
  conversation: 'conversation',
  client: 'client',
  reason: 'reason',
  saved_characters: 'savedCharacters',
  queued_ms: 'queuedMs',
  cached_tokens: 'cachedTokens',
} as const satisfies Readonly<Record<string, keyof StoredRecord>>;
const VALUES = Object.values(COLUMNS);

/** The rows of records in an open file. Throws what SQLite throws. */
export class RecordRows {
  private readonly putRecord: StatementSync;
  private readonly putTexts: StatementSync;
  private readonly putRecording: StatementSync;
  private readonly removeRecord: StatementSync;
  private readonly removeTexts: StatementSync;
  private readonly removeRecording: StatementSync;

  constructor(database: DatabaseSync) {
    const columns = [...Object.keys(COLUMNS), 'bytes'];
    const places = columns.map(() => '?').join(', ');
    this.putRecord = database.prepare(
      `INSERT OR REPLACE INTO records (${columns.join(', ')}) VALUES (${places})`,
    );
    this.putTexts = database.prepare(
      'INSERT OR REPLACE INTO texts (seq, brief, texts, request_body, response_body) VALUES (?, ?, ?, ?, ?)',
    );
    this.putRecording = database.prepare('INSERT OR REPLACE INTO recordings (seq, body) VALUES (?, ?)');
    this.removeRecord = database.prepare('DELETE FROM records WHERE seq = ?');
    this.removeTexts = database.prepare('DELETE FROM texts WHERE seq = ?');
    this.removeRecording = database.prepare('DELETE FROM recordings WHERE seq = ?');
  }

  /**
   * Inserts a record, or replaces its earlier state.
   * @param maxBytes a larger record loses its recording, then its texts: it would evict hundreds of others
   */
  put(record: StoredRecord, maxBytes: number): SentRecord {
    const kept = withinLimit(record, maxBytes);
    const { seq, changed, outcome, brief } = record;
    const { texts } = kept;
    const bytes = storedBytes(kept);
    const { requestBody, responseBody } = redactedBodies(kept.bodies);
    this.putRecord.run(...VALUES.map((name) => record[name]), bytes);
    this.putTexts.run(seq, brief, texts, requestBody, responseBody);
    if (kept.recording) {
      this.putRecording.run(seq, packRecording(kept.recording));
    }
    return { seq, changed, bytes, outcome, brief, texts, requestBody, responseBody };
  }

  /** @returns number of records removed: 0 or 1 */
  remove(seq: number): number {
    const { changes } = this.removeRecord.run(seq);
    this.removeTexts.run(seq);
    this.removeRecording.run(seq);
    return Number(changes);
  }
}

/** Size of a record, as far as it is kept. */
export function storedBytes(record: RecordTexts | undefined): number {
  return record === undefined ? 0 : ROW_BYTES + lengthOf(record);
}

function withinLimit(record: StoredRecord, maxBytes: number): RecordTexts {
  const { brief, texts, bodies } = record;
  return (
    [record, { brief, texts, bodies }].find((kept) => storedBytes(kept) <= maxBytes) ?? {
      brief,
      texts: null,
      bodies: null,
    }
  );
}
