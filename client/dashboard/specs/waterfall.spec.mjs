import { describe, expect, it } from '@jest/globals';
import { timingText } from '../assets/widgets/exchange/exchange-bars.js';
import { timingBars } from '../assets/widgets/exchange/waterfall.js';

const RECORDS = [
  { id: 'a', startedAt: 1000, firstByteMs: 100, totalMs: 400 },
  { id: 'b', startedAt: 1500, firstByteMs: 50, totalMs: 500 },
];

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
    expect(bars(RECORDS, { asWaterfall: true, now: 9000 })).toEqual([
      ['a', { start: 0, waited: 0.1, received: 0.3 }],
      ['b', { start: 0.5, waited: 0.05, received: 0.45 }],
    ]);
  });

  it('starts unrelated exchanges at the left, on a logarithmic scale', () => {
    const records = [
      { id: 'login', startedAt: 1000, firstByteMs: 90, totalMs: 99_990 },
      { id: 'answer', startedAt: 1500, firstByteMs: 90, totalMs: 990 },
    ];
    expect(bars(records, { asWaterfall: false, now: 9000 })).toEqual([
      ['login', { start: 0, waited: 0.25, received: 0.75 }],
      ['answer', { start: 0, waited: 0.25, received: 0.25 }],
    ]);
  });

  it('extends running exchanges to now, without dividing by zero', () => {
    expect([...timingBars([{ id: 'a', startedAt: 1000 }], { asWaterfall: false, now: 3000 })]).toEqual([
      ['a', { start: 0, waited: 1, received: 0 }],
    ]);
    expect([
      ...timingBars([{ id: 'a', startedAt: 1000, totalMs: 0 }], { asWaterfall: true, now: 0 }),
    ]).toEqual([['a', { start: 0, waited: 0, received: 0 }]]);
    expect(timingBars([], { asWaterfall: true, now: 0 }).size).toBe(0);
  });

  it('ends exchanges cut off by a crash at their last known time', () => {
    const cut = { id: 'b', startedAt: 1000, firstByteMs: 100, error: 'The gateway was killed.' };
    expect(bars([RECORDS[0], cut], { asWaterfall: true, now: 9_000_000 })).toEqual([
      ['a', { start: 0, waited: 0.25, received: 0.75 }],
      ['b', { start: 0, waited: 0.25, received: 0 }],
    ]);
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
