import { describe, expect, it } from '@jest/globals';
import { entry, NOON } from '../../test/support/gateway/log-records.js';
import { type RequestLogEntry } from '../logs/records/request-log-entry.js';
import { toRequestSpan } from './request-spans.js';

/** Name, start and end of each part, in milliseconds since the request began. */
function parts(changes: Partial<RequestLogEntry>): [string, number, number][] {
  const { children } = toRequestSpan(entry('a', changes), 'web');
  return children.map(({ name, startMs, endMs }) => [name, startMs - NOON, endMs - NOON]);
}

describe('toRequestSpan', () => {
  it('tells what a request waited for from its attempts', () => {
    const attempts = [
      { account: 'one', startedMs: 70, durationMs: 900, outcome: 'ok' as const, considered: [] },
    ];
    expect(parts({ receivedMs: 40, queuedMs: 25, attempts, totalMs: 1000 })).toEqual([
      ['receive the request', 0, 40],
      ['wait for a session', 40, 70],
      ['attempt', 70, 970],
    ]);
    expect(parts({ receivedMs: 0, queuedMs: 70, attempts })).toEqual([
      ['wait for a session', 0, 70],
      ['attempt', 70, 970],
    ]);
  });

  it('tells how long a request waited that had no session', () => {
    expect(parts({ receivedMs: 10, queuedMs: 500 })).toEqual([
      ['receive the request', 0, 10],
      ['wait for a session', 10, 510],
    ]);
    expect(parts({})).toEqual([]);
  });
});
