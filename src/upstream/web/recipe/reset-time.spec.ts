import { describe, expect, it } from '@jest/globals';
import { resetAfterMs } from './reset-time.js';

const now = Date.parse('2030-01-01T00:00:00Z');

describe('resetAfterMs', () => {
  it.each([
    [30, 'seconds', 30_000],
    ['30', 'seconds', 30_000],
    ['Try again in 2.5 minutes.', 'minutes', 150_000],
    [1500, 'milliseconds', 1500],
    [now / 1000 + 60, 'unixSeconds', 60_000],
    [now + 61, 'unixMilliseconds', 61],
    ['2030-01-01T00:05:00Z', 'date', 300_000],
    ['Tue, 01 Jan 2030 00:00:10 GMT', 'date', 10_000],
    [0, 'seconds', 0],
    ['2029-12-31T23:59:59Z', 'date', undefined],
    [8 * 24 * 3600, 'seconds', undefined],
    ['soon', 'seconds', undefined],
    [undefined, 'seconds', undefined],
    [null, 'date', undefined],
    ['', 'date', undefined],
  ] as const)('reads %j as %s', (value, unit, expected) => {
    expect(resetAfterMs(value, unit, now)).toBe(expected);
  });
});
