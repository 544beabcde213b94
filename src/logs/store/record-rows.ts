import { type DatabaseSync, type StatementSync } from 'node:sqlite';
import { type SentRecord } from '../outbox/encoded-records.js';
import { redactedBodies } from '../records/exchange-bodies.js';
import { lengthOf, type RecordTexts, type StoredRecord } from '../records/stored-record.js';
import { packRecording } from '../records/upstream-recording.js';

/** Size of a record without its texts. */
const ROW_BYTES = 200;

const COLUMNS = [
  'seq',
  'changed',
  'kind',
  'id',
  'request_id',
  'started_at',
  'outcome',
  'status',
  'key_name',
  'model',
  'account',
  'is_completion',
  'is_stranger',
  'total_ms',
  'first_token_ms',
  'prompt_tokens',
  'completion_tokens',
  'bytes',
  'conversation',
  'client',
  'reason',
  'saved_characters',
  'queued_ms',
  'cached_tokens',
];

/** The rows of records in an open file. Throws what SQLite throws. */
export class RecordRows {
  private readonly putRecord: StatementSync;
  private readonly putTexts: StatementSync;
  private readonly putRecording: StatementSync;
  private readonly removeRecord: StatementSync;
  private readonly removeTexts: StatementSync;
  private readonly removeRecording: StatementSync;

  constructor(database: DatabaseSync) {
    const places = COLUMNS.map(() => '?').join(', ');
    this.putRecord = database.prepare(
      `INSERT OR REPLACE INTO records (${COLUMNS.join(', ')}) VALUES (${places})`,
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
    this.putRecord.run(
      seq,
      changed,
      record.kind,
      record.id,
      record.requestId,
      record.startedAt,
      outcome,
      record.status,
      record.key,
      record.model,
      record.account,
      record.isCompletion,
      record.isStranger,
      record.totalMs,
      record.firstTokenMs,
      record.promptTokens,
      record.completionTokens,
      bytes,
      record.conversation,
      record.client,
      record.reason,
      record.savedCharacters,
      record.queuedMs,
      record.cachedTokens,
    );
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
