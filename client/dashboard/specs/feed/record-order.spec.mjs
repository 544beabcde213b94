import { describe, expect, it } from '@jest/globals';
import { byLargest, bySlowest, byWait, isNewer } from '../../assets/data/feed/record-order.js';

const begun = { id: 'a', outcome: 'pending' };
const waiting = { ...begun, attempts: [] };
const ended = { ...begun, outcome: 'ok', totalMs: 5 };

describe('bySlowest', () => {
  it('has those that are running last, the one that runs the longest first', () => {
    const records = [
      { id: 'late', startedAt: 9 },
      { id: 'fast', startedAt: 3, totalMs: 0 },
      { id: 'early', startedAt: 1 },
      { id: 'slow', startedAt: 2, totalMs: 5 },
    ];
    expect(records.toSorted(bySlowest).map(({ id }) => id)).toEqual(['slow', 'fast', 'early', 'late']);
  });
});

describe('byLargest', () => {
  it('counts the tokens of prompt and answer, and has the newest of equals first', () => {
    const usage = (promptTokens, completionTokens) => ({ usage: { promptTokens, completionTokens } });
    const records = [
      { id: 'none', startedAt: 9 },
      { id: 'older', startedAt: 1, ...usage(10, 5) },
      { id: 'newer', startedAt: 2, ...usage(5, 10) },
      { id: 'largest', startedAt: 3, ...usage(10, 6) },
    ];
    expect(records.toSorted(byLargest).map(({ id }) => id)).toEqual(['largest', 'newer', 'older', 'none']);
  });
});

describe('byWait', () => {
  it('has those last that asked for no session, the oldest first', () => {
    const records = [
      { id: 'late', startedAt: 9 },
      { id: 'short', startedAt: 3, queuedMs: 0 },
      { id: 'early', startedAt: 1 },
      { id: 'long', startedAt: 2, queuedMs: 5 },
      { id: 'newer', startedAt: 4, queuedMs: 0 },
    ];
    expect(records.toSorted(byWait).map(({ id }) => id)).toEqual(['long', 'newer', 'short', 'early', 'late']);
  });
});

describe('isNewer', () => {
  it.each([
    ['an end over a beginning', ended, begun, true],
    ['a beginning over an end', begun, ended, false],
    ['the same end over itself', { ...ended }, ended, false],
    ['the same beginning over itself', { ...begun }, begun, false],
    ['a state under way over another', waiting, begun, true],
    ['another end over an end', ended, { ...ended, outcome: 'crashed' }, true],
    ['the same exchange over itself', { id: 'x', totalMs: 5 }, { id: 'x', totalMs: 5 }, false],
  ])('prefers %s: %#', (_case, record, old, expected) => {
    expect(isNewer(record, old)).toBe(expected);
  });
});
