import { expect, it } from '@jest/globals';
import { breakdown, type BreakdownEntry, longestWait } from './breakdown.js';

const entry = (changes: Partial<BreakdownEntry>): BreakdownEntry => ({
  model: 'large',
  account: 'one',
  client: null,
  key: 'ann',
  reason: null,
  startedAt: 0,
  isOk: true,
  totalMs: 100,
  queuedMs: null,
  promptTokens: 10,
  cachedTokens: 0,
  completionTokens: 1,
  savedCharacters: 0,
  ...changes,
});

it('adds up completions by each of their properties, the most frequent value first', () => {
  const entries = [
    entry({ model: 'small', totalMs: 5 }),
    ...Array.from({ length: 20 }, (_, at) =>
      entry({ totalMs: (at + 1) * 10, cachedTokens: 4, savedCharacters: 3 }),
    ),
    entry({ account: 'two', isOk: false, reason: 'upstream_idle', totalMs: 9000 }),
  ];
  const { model, account, client, key, reason } = breakdown(entries);
  expect(model).toEqual([
    {
      name: 'large',
      requests: 21,
      succeeded: 20,
      p50Ms: 100,
      p95Ms: 190,
      promptTokens: 210,
      cachedTokens: 80,
      completionTokens: 21,
      savedCharacters: 60,
    },
    expect.objectContaining({ name: 'small', requests: 1, p50Ms: 5, p95Ms: 5 }),
  ]);
  expect(account.map(({ name, p50Ms }) => [name, p50Ms])).toEqual([
    ['one', 100],
    ['two', null],
  ]);
  expect(client.map(({ name }) => name)).toEqual(['']);
  expect(key.map(({ requests }) => requests)).toEqual([22]);
  // Most have none, since they did not fail.
  expect(reason.map(({ name, requests }) => [name, requests])).toEqual([['upstream_idle', 1]]);
  expect(breakdown([])).toEqual({ model: [], account: [], client: [], key: [], reason: [] });
});

it('names the longest wait, of whatever end, and none where no session was asked for', () => {
  const waits = [null, 0, 40, 12.5, 40].map((queuedMs, startedAt) =>
    entry({ queuedMs, startedAt, isOk: false }),
  );
  expect(longestWait(waits)).toEqual({ startedAt: 2, queuedMs: 40 });
  expect(longestWait(waits.slice(0, 2))).toEqual({ startedAt: 1, queuedMs: 0 });
  expect([longestWait(waits.slice(0, 1)), longestWait([])]).toEqual([null, null]);
});
