import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

describe('CircuitBreaker', () => {
  /** Sends a prompt that fails at once. */
  const only = { account: 'a', isOnly: true };

  function fail(breaker: CircuitBreaker, now = 0, at = only): void {
    breaker.failed(breaker.tryPass(now)!, at, now);
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
    passes.forEach((pass, at) => breaker.failed(pass, only, 500 + at));
    expect(breaker.isOpen(600)).toBe(false);
    const late = Array.from({ length: 20 }, (_, at) => breaker.tryPass(600 + at)!);
    late.forEach((pass, at) => breaker.failed(pass, only, 2000 + 1000 * at));
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
    breaker.failed(breaker.tryPass(10_000)!, only, 12_000);
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
    breaker.failed(before, only, 9000);
    breaker.undecided(before);
    expect(breaker.tryPass(10_000)?.isTrial).toBe(true);
    breaker.failed(before, only, 10_500);
    breaker.undecided(before);
    expect(breaker.tryPass(10_600)).toBeUndefined();
  });

  const one = { account: 'a', isOnly: false };
  const other = { account: 'b', isOnly: false };

  it('does not open for one account of several, but for a second one that fails as well', () => {
    const breaker = new CircuitBreaker();
    Array.from({ length: 20 }, (_, at) => fail(breaker, 2000 * at, one));
    expect(breaker.isOpen(40_000)).toBe(false);
    breaker.succeeded();
    [0, 1, 2, 3].forEach((at) => fail(breaker, 50_000 + at, one));
    expect(breaker.isOpen(50_004)).toBe(false);
    fail(breaker, 50_004, other);
    expect(breaker.isOpen(50_004)).toBe(true);
  });

  it('opens again after a trial at any of the accounts, and repeats one that says nothing of the others', () => {
    const breaker = opened();
    fail(breaker, 10_000, one);
    expect(breaker.tryPass(10_000)?.isTrial).toBe(true);
    breaker.failed({ isTrial: true, sentAt: 10_000 }, other, 10_500);
    expect([breaker.tryPass(20_499), breaker.tryPass(20_500)?.isTrial]).toEqual([undefined, true]);
  });

  describe('that one conversation alone has opened', () => {
    const bad = { conversation: 'bad' };
    const good = { conversation: 'good' };

    function openedBy(...conversations: string[]): CircuitBreaker {
      const breaker = new CircuitBreaker();
      for (const conversation of [...conversations, ...conversations, ...conversations].slice(0, 5)) {
        breaker.failed(breaker.tryPass(0)!, { ...only, conversation }, 0);
      }
      return breaker;
    }

    it('refuses that one alone, before and after its trial', () => {
      const breaker = openedBy('bad', 'bad');
      const refused = (now: number): boolean[] => [bad, good].map((one) => breaker.isOpen(now, one));
      expect(refused(1)).toEqual([true, false]);
      expect(breaker.tryPass(1, good)).toEqual({ isTrial: false, sentAt: 1 });
      const trial = breaker.tryPass(10_000, bad)!;
      expect([trial.isTrial, ...refused(10_000)]).toEqual([true, true, false]);
      breaker.failed(trial, { ...only, ...bad }, 10_000);
      expect(refused(19_999)).toEqual([true, false]);
      expect([breaker.isOpen(19_999), breaker.hasOpened]).toEqual([true, true]);
    });

    it('closes with an answer to another one', () => {
      const breaker = openedBy('bad', 'bad');
      breaker.tryPass(1, good);
      breaker.succeeded();
      expect([breaker.isOpen(1, bad), breaker.hasOpened]).toEqual([false, false]);
    });

    it('refuses all once another one fails', () => {
      const breaker = openedBy('bad', 'bad');
      breaker.failed(breaker.tryPass(2000, good)!, { ...only, ...good }, 3000);
      expect([bad, good, { conversation: 'a third' }].map((one) => breaker.isOpen(12_999, one))).toEqual([
        true,
        true,
        true,
      ]);
      expect(breaker.tryPass(13_000, good)?.isTrial).toBe(true);
    });

    it.each([
      ['two', openedBy('bad', 'worse')],
      ['failures to connect', opened()],
    ])('refuses all if it were %s', (_, breaker) => {
      expect(breaker.isOpen(1, good)).toBe(true);
    });
  });
});
