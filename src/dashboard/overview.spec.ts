import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LogBucket } from '../logs/records/log-series.js';
import { overviewRange, toSeries, toTotals } from './overview.js';

const MINUTE_MS = 60_000;

describe('overviewRange', () => {
  it.each([
    [1, 1000, 60],
    [2, 1000, 120],
    [3, 2000, 90],
    [15, 10_000, 90],
    [60, 30_000, 120],
    [61, MINUTE_MS, 61],
    [360, 5 * MINUTE_MS, 72],
    [1440, 15 * MINUTE_MS, 96],
    [10_080, 120 * MINUTE_MS, 84],
  ])('cuts %i minutes into buckets of %i ms', (minutes, bucketMs, count) => {
    const range = overviewRange(1_700_000_000_123, minutes);
    expect(range.bucketMs).toBe(bucketMs);
    expect((range.toMs - range.fromMs) / bucketMs).toBe(count);
  });

  it('has 1 to 120 buckets at round times that cover the window up to now', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 41 }),
        fc.integer({ min: 1, max: 10_080 }),
        (now, minutes) => {
          const { fromMs, toMs, bucketMs } = overviewRange(now, minutes);
          const count = (toMs - fromMs) / bucketMs;
          expect(Number.isInteger(count) && count >= 1 && count <= 120).toBe(true);
          expect(fromMs % bucketMs === 0 && toMs - bucketMs <= now && now < toMs).toBe(true);
          expect(fromMs).toBeLessThan(now - minutes * MINUTE_MS + bucketMs + 1);
        },
      ),
    );
  });
});

const FULL: LogBucket = {
  startMs: 1000,
  outcomes: {
    pending: 1,
    ok: 2,
    client_error: 4,
    upstream_error: 8,
    rate_limited: 16,
    cancelled: 32,
    shutdown: 64,
    crashed: 128,
  },
  keyLimited: 6,
  totalMs: { p50: 10, p95: 20 },
  firstTokenMs: { p50: 1, p95: 2 },
  queuedMs: { p50: 3, p95: 4 },
  promptTokens: 5,
  cachedTokens: 2,
  completionTokens: 7,
};
const EMPTY: LogBucket = {
  startMs: 2000,
  outcomes: {},
  keyLimited: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
};

describe('toTotals', () => {
  it('counts each outcome once', () => {
    expect(toTotals(FULL)).toEqual({
      requests: 255,
      ok: 2,
      errors: 4 + 8 + 64 + 128,
      clientErrors: 4,
      rateLimited: 16,
      keyLimited: 6,
      cancelled: 32,
      p50Ms: 10,
      p95Ms: 20,
      firstTokenP50Ms: 1,
      queuedP95Ms: 4,
      promptTokens: 5,
      cachedTokens: 2,
      completionTokens: 7,
    });
  });
});

describe('toSeries', () => {
  it('turns buckets into columns, with null where nothing was measured', () => {
    expect(toSeries([FULL, EMPTY], 1000)).toEqual({
      bucketMs: 1000,
      t: [1000, 2000],
      requests: [255, 0],
      ok: [2, 0],
      errors: [204, 0],
      rateLimited: [16, 0],
      p50Ms: [10, null],
      p95Ms: [20, null],
      firstTokenP50Ms: [1, null],
      queuedP95Ms: [4, null],
      completionTokens: [7, 0],
    });
  });
});
