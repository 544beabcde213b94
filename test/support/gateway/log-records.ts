import { type LogRecord } from '../../../src/logs/records/log-filter.js';
import { type NetworkRecord } from '../../../src/logs/records/network-record.js';
import { type RequestLogEntry } from '../../../src/logs/records/request-log-entry.js';
import { type StoredRecord, toStoredRecord } from '../../../src/logs/records/stored-record.js';

/** A wall-clock time of tests, in Unix milliseconds. */
export const NOON = 1_800_000_000_000;

/** A completion that ended well, with changes. */
export function entry(id: string, changes: Partial<RequestLogEntry> = {}): RequestLogEntry {
  return {
    kind: 'request',
    id,
    startedAt: NOON,
    method: 'POST',
    path: '/v1/chat/completions',
    operation: 'completion',
    outcome: 'ok',
    status: 200,
    model: 'svc-max',
    totalMs: 100,
    ...changes,
  };
}

/** An exchange that ended well, with changes. */
export function exchange(id: string, changes: Partial<NetworkRecord> = {}): NetworkRecord {
  return {
    kind: 'network',
    id,
    startedAt: NOON,
    method: 'POST',
    url: 'https://chat.example/api/chat',
    status: 200,
    totalMs: 90,
    ...changes,
  };
}

/** A record as the store takes it, numbered by its time plus an offset that makes it unique. */
export function stored(record: LogRecord, number = 0, changed = number): StoredRecord {
  const at = record.startedAt * 1000;
  const numbers = { seq: at + number, changed: at + changed };
  if (record.kind === 'request') {
    return toStoredRecord(record, numbers);
  }
  const { requestBody: request, responseBody: response, ...rest } = record;
  return toStoredRecord(rest, numbers, { request, response, isOwnRequest: true, secrets: [] });
}
