import { describe, expect, it } from '@jest/globals';
import { timesText, timingText } from '../assets/widgets/exchange/exchange-bars.js';
import { requestSpan, timingBars } from '../assets/widgets/exchange/waterfall.js';

const RECORDS = [
  { id: 'a', startedAt: 1000, firstByteMs: 100, totalMs: 400 },
  { id: 'b', startedAt: 1500, firstByteMs: 50, totalMs: 500 },
];

/** Of a request that began with the first of them. */
const SPAN = { from: 1000, lengthMs: 0 };

/** Bars by id, in shares that can be compared. */
function bars(records, options) {
  const rounded = (share) => Math.round(share * 1000) / 1000;
  return [...timingBars(records, options)].map(([id, { start, waited, received }]) => [
    id,
    { start: rounded(start), waited: rounded(waited), received: rounded(received) },
  ]);
}

describe('timingBars', () => {
  it('places the exchanges of one request on a common time scale', () => {
    expect(bars(RECORDS, { waterfall: SPAN, now: 9000 })).toEqual([
      ['a', { start: 0, waited: 0.1, received: 0.3 }],
      ['b', { start: 0.5, waited: 0.05, received: 0.45 }],
    ]);
  });

  it('shows what came before and after them in their request', () => {
    expect(bars(RECORDS, { waterfall: { from: 0, lengthMs: 5000 }, now: 9000 })).toEqual([
      ['a', { start: 0.2, waited: 0.02, received: 0.06 }],
      ['b', { start: 0.3, waited: 0.01, received: 0.09 }],
    ]);
  });

  it('starts unrelated exchanges at the left, on a logarithmic scale', () => {
    const records = [
      { id: 'login', startedAt: 1000, firstByteMs: 90, totalMs: 99_990 },
      { id: 'answer', startedAt: 1500, firstByteMs: 90, totalMs: 990 },
    ];
    expect(bars(records, { now: 9000 })).toEqual([
      ['login', { start: 0, waited: 0.25, received: 0.75 }],
      ['answer', { start: 0, waited: 0.25, received: 0.25 }],
    ]);
  });

  it('extends running exchanges to now, without dividing by zero', () => {
    expect([...timingBars([{ id: 'a', startedAt: 1000 }], { now: 3000 })]).toEqual([
      ['a', { start: 0, waited: 1, received: 0 }],
    ]);
    expect([...timingBars([{ id: 'a', startedAt: 1000, totalMs: 0 }], { waterfall: SPAN, now: 0 })]).toEqual([
      ['a', { start: 0, waited: 0, received: 0 }],
    ]);
    expect(timingBars([], { waterfall: SPAN, now: 0 }).size).toBe(0);
  });

  it('ends exchanges cut off by a crash at their last known time', () => {
    const cut = { id: 'b', startedAt: 1000, firstByteMs: 100, error: 'The gateway was killed.' };
    expect(bars([RECORDS[0], cut], { waterfall: SPAN, now: 9_000_000 })).toEqual([
      ['a', { start: 0, waited: 0.25, received: 0.75 }],
      ['b', { start: 0, waited: 0.25, received: 0 }],
    ]);
  });
});

describe('requestSpan', () => {
  it.each([
    ['one that has ended', { outcome: 'ok', totalMs: 700 }, 700],
    ['a running one', { outcome: 'pending' }, 500],
    ['one that was cut off by a crash', { outcome: 'crashed' }, 0],
  ])('knows how long %s took', (_case, entry, lengthMs) => {
    expect(requestSpan({ startedAt: 1000, ...entry }, 1500)).toEqual({ from: 1000, lengthMs });
  });
});

describe('timingText', () => {
  it.each([
    [{}, 'still running'],
    [{ firstByteMs: 100 }, 'still running, first byte after 100 ms'],
    [{ firstByteMs: 100, totalMs: 400 }, '400 ms, first byte after 100 ms'],
    [{ totalMs: 400, error: 'cancelled' }, '400 ms'],
    [
      { firstByteMs: 100, error: 'The gateway was killed.' },
      'first byte after 100 ms, The gateway was killed.',
    ],
  ])('says how long %j took', (record, text) => {
    expect(timingText(record)).toBe(text);
  });
});

describe('timesText', () => {
  it.each([
    [{ firstByteMs: 18, totalMs: 18, error: 'It is overloaded.' }, '18 ms, first byte after 18 ms'],
    [{ error: 'The gateway was killed.' }, ''],
  ])('of %j leaves the error out', (record, text) => {
    expect(timesText(record)).toBe(text);
  });
});
