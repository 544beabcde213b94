import { describe, expect, it } from '@jest/globals';
import {
  bytes,
  cachedShare,
  clockTime,
  compact,
  count,
  countdown,
  duration,
  exact,
  percent,
  plural,
  relative,
} from '../assets/data/format.js';

describe('duration', () => {
  it.each([
    [undefined, '–'],
    [null, '–'],
    [0, '0 ms'],
    [0.4, '<1 ms'],
    [1, '1 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [1234, '1.23 s'],
    [9999, '10 s'],
    [12_345, '12.3 s'],
    [59_940, '59.9 s'],
    [59_980, '1 min'],
    [61_000, '1 min 1 s'],
    [3_599_700, '1 h'],
    [3_660_000, '1 h 1 min'],
    [172_800_000, '2 d'],
    [266_400_000, '3 d 2 h'],
  ])('of %p is %p', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('countdown', () => {
  it.each([
    [-5, '0:00'],
    [0, '0:00'],
    [1, '0:01'],
    [59_001, '1:00'],
    [119_000, '1:59'],
    [3_600_000, '1:00:00'],
    [3_725_000, '1:02:05'],
    [86_400_000, '24 h'],
    [259_200_000, '3 d'],
  ])('of %p is %p', (ms, text) => {
    expect(countdown(ms)).toBe(text);
  });
});

describe('relative', () => {
  it.each([
    [0, 'just now'],
    [1999, 'just now'],
    [-1999, 'just now'],
    [2000, '2 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [172_800_000, '2 d ago'],
    [-90_000, 'in 1 min'],
  ])('of %p ms ago is %p', (ago, text) => {
    expect(relative(1_000_000_000_000 - ago, 1_000_000_000_000)).toBe(text);
  });
});

describe('clockTime', () => {
  it.each([
    [[2030, 0, 31, 9, 5, 7], '09:05:07'],
    [[2030, 0, 31, 0, 0, 0], '00:00:00'],
    [[2030, 0, 30, 23, 59, 59], '30 Jan 23:59:59'],
    [[2029, 0, 31, 9, 5, 7], '31 Jan 09:05:07'],
  ])('of %j is %p', (parts, text) => {
    expect(clockTime(new Date(...parts).getTime(), new Date(2030, 0, 31, 12).getTime())).toBe(text);
  });
});

describe('exact', () => {
  it('can be parsed back to the millisecond', () => {
    const at = Date.UTC(2030, 0, 31, 9, 5, 7, 12);
    const text = exact(at);
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.012 [+-]\d\d:\d\d$/);
    expect(Date.parse(text.replace(' ', 'T').replace(' ', ''))).toBe(at);
  });
});

describe('numbers', () => {
  it.each([
    [count(1_234_567), '1,234,567'],
    [count(undefined), '–'],
    [compact(950), '950'],
    [compact(12_345), '12.3K'],
    [plural(1, 'request'), '1 request'],
    [plural(0, 'request'), '0 requests'],
    [plural(2, 'entry', 'entries'), '2 entries'],
    [bytes(0), '0 B'],
    [bytes(1023), '1023 B'],
    [bytes(1536), '1.5 KiB'],
    [bytes(20_480), '20 KiB'],
    [bytes(33 * 2 ** 20), '33 MiB'],
    [bytes(undefined), '–'],
    [percent(0), '0 %'],
    [percent(0.0001), '0.1 %'],
    [percent(0.5), '50 %'],
    [percent(0.9999), '99.9 %'],
    [percent(1), '100 %'],
    [percent(Number.NaN), '–'],
    [cachedShare({ promptTokens: 200, cachedTokens: 124 }), '62 %'],
    [cachedShare({ promptTokens: 200, cachedTokens: 0 }), ''],
    [cachedShare({ promptTokens: 3, cachedTokens: 2000 }), '100 %'],
  ])('%p is %p', (text, expected) => {
    expect(text).toBe(expected);
  });
});
