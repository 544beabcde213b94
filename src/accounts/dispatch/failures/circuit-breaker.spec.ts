import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

describe('CircuitBreaker', () => {
  /** Sends a prompt that fails at once. */
  function fail(breaker: CircuitBreaker, now = 0): void {
    breaker.failed(breaker.tryPass(now)!, now);
  }

  function opened(): CircuitBreaker {
    const breaker = new CircuitBreaker();
    for (let failure = 0; failure < 5; failure += 1) {
      fail(breaker);
    }
    return breaker;
  }

  it('opens after five failures in a row', () => {
    const breaker = new CircuitBreaker();
    [1, 2, 3, 4].forEach(() => fail(breaker));
    breaker.succeeded();
    [1, 2, 3, 4].forEach(() => fail(breaker));
    expect(breaker.tryPass(0)).toEqual({ isTrial: false, sentAt: 0 });
    fail(breaker);
    expect([breaker.isOpen(9999), breaker.tryPass(9999)]).toEqual([true, undefined]);
    expect([0, 4000, 10_000].map((now) => breaker.retryAfterMs(now))).toEqual([10_000, 6000, 0]);
  });

  it('counts prompts that were under way together and fail together as one failure', () => {
    const breaker = new CircuitBreaker();
    const passes = Array.from({ length: 20 }, (_, at) => breaker.tryPass(at)!);
    passes.forEach((pass, at) => breaker.failed(pass, 500 + at));
    expect(breaker.isOpen(600)).toBe(false);
    const late = Array.from({ length: 20 }, (_, at) => breaker.tryPass(600 + at)!);
    late.forEach((pass, at) => breaker.failed(pass, 2000 + 1000 * at));
    expect(breaker.isOpen(2000 + 4000)).toBe(true);
  });

  it('lets exactly one through after ten seconds, until it is settled', () => {
    const breaker = opened();
    expect(breaker.tryPass(10_000)).toEqual({ isTrial: true, sentAt: 10_000 });
    expect([breaker.isOpen(50_000), breaker.tryPass(50_000)]).toEqual([true, undefined]);
    breaker.succeeded();
    expect(breaker.tryPass(50_000)?.isTrial).toBe(false);
  });

  it('opens again for ten seconds when the trial fails', () => {
    const breaker = opened();
    breaker.failed(breaker.tryPass(10_000)!, 12_000);
    expect([breaker.tryPass(21_999), breaker.tryPass(22_000)?.isTrial]).toEqual([undefined, true]);
  });

  it('lets another request be the trial if the first said nothing', () => {
    const breaker = opened();
    breaker.undecided(breaker.tryPass(10_000)!);
    expect(breaker.tryPass(10_000)?.isTrial).toBe(true);
  });

  it('is not kept open by prompts that were sent before it opened', () => {
    const breaker = opened();
    const before = { isTrial: false, sentAt: 0 };
    breaker.failed(before, 9000);
    breaker.undecided(before);
    expect(breaker.tryPass(10_000)?.isTrial).toBe(true);
    breaker.failed(before, 10_500);
    breaker.undecided(before);
    expect(breaker.tryPass(10_600)).toBeUndefined();
  });
});
