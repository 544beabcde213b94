import { describe, expect, it } from '@jest/globals';
import { FailureBackoff } from './failure-backoff.js';

describe('FailureBackoff', () => {
  it('doubles from one second to the longest wait', () => {
    const backoff = new FailureBackoff(60_000);
    let now = 5000;
    const waits = Array.from({ length: 8 }, () => {
      backoff.failed(now, 0);
      const waitMs = (backoff.endAfter(now) ?? 0) - now;
      now += waitMs;
      return waitMs;
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('is longer by up to a tenth, by chance', () => {
    const backoff = new FailureBackoff(60_000);
    backoff.failed(0, 1);
    expect(backoff.endAfter(0)).toBe(1100);
  });

  it('counts failures that come together once', () => {
    const backoff = new FailureBackoff(60_000);
    backoff.failed(0, 0);
    backoff.failed(10, 0);
    expect(backoff.endAfter(10)).toBe(1000);
    backoff.failed(1000, 0);
    expect(backoff.endAfter(1000)).toBe(3000);
  });

  it('is over at its end, and forgotten when it is cleared', () => {
    const backoff = new FailureBackoff(60_000);
    backoff.failed(0, 0);
    expect([backoff.endAfter(999), backoff.endAfter(1000)]).toEqual([1000, undefined]);
    backoff.clear();
    expect(backoff.endAfter(0)).toBeUndefined();
    backoff.failed(0, 0);
    expect(backoff.endAfter(0)).toBe(1000);
  });
});
