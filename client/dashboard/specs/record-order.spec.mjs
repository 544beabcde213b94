import { describe, expect, it } from '@jest/globals';
import { isNewer } from '../assets/data/record-order.js';

const begun = { id: 'a', outcome: 'pending' };
const waiting = { ...begun, attempts: [] };
const ended = { ...begun, outcome: 'ok', totalMs: 5 };

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
