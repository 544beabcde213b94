import { expect, it } from '@jest/globals';
import { breakdown, type BreakdownEntry } from './breakdown.js';

const entry = (changes: Partial<BreakdownEntry>): BreakdownEntry => ({
  model: 'large',
  account: 'one',
  client: null,
  key: 'ann',
  reason: null,
  isOk: true,
  totalMs: 100,
  promptTokens: 10,
  completionTokens: 1,
  savedCharacters: 0,
  ...changes,
});

it('adds up completions by each of their properties, the most frequent value first', () => {
  const entries = [
    entry({ model: 'small', totalMs: 5 }),
    ...Array.from({ length: 20 }, (_, at) => entry({ totalMs: (at + 1) * 10, savedCharacters: 3 })),
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
