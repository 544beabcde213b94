import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../upstream/upstream.errors.js';
import { OpeningBackoff } from './opening-backoff.js';

const FAILURE = new UnavailableError('launch_failed', 'x');

describe('OpeningBackoff', () => {
  it('doubles from one second to a minute', () => {
    const backoff = new OpeningBackoff();
    let now = 5000;
    const waits = Array.from({ length: 8 }, () => {
      backoff.failed(FAILURE, now, 0);
      const waitMs = (backoff.endAfter(now) ?? 0) - now;
      now += waitMs;
      return waitMs;
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('is longer by up to a tenth, by chance', () => {
    const backoff = new OpeningBackoff();
    backoff.failed(FAILURE, 0, 1);
    expect(backoff.endAfter(0)).toBe(1100);
  });

  it('counts openings that fail together once', () => {
    const backoff = new OpeningBackoff();
    const last = new UnavailableError('launch_failed', 'y');
    backoff.failed(FAILURE, 0, 0);
    backoff.failed(last, 10, 0);
    expect([backoff.endAfter(10), backoff.error]).toEqual([1000, last]);
    backoff.failed(FAILURE, 1000, 0);
    expect(backoff.endAfter(1000)).toBe(3000);
  });

  it('is over at its end, and forgotten when it is cleared', () => {
    const backoff = new OpeningBackoff();
    backoff.failed(FAILURE, 0, 0);
    expect([backoff.endAfter(999), backoff.endAfter(1000), backoff.error]).toEqual([
      1000,
      undefined,
      FAILURE,
    ]);
    backoff.clear();
    expect([backoff.endAfter(0), backoff.error]).toEqual([undefined, undefined]);
    backoff.failed(FAILURE, 0, 0);
    expect(backoff.endAfter(0)).toBe(1000);
  });
});
