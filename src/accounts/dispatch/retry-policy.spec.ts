import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InternalError } from '../../common/errors/gateway.errors.js';
import {
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../upstream/upstream.errors.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { RetryBudget } from './retry-budget.js';
import { backoffMs, judgeFailure } from './retry-policy.js';

describe('the verdict on a failure', () => {
  const cases: [unknown, boolean, ReturnType<typeof judgeFailure>][] = [
    [new RateLimitedError(), false, { account: 'cooldown', upstream: 'alive', retry: 'at_once' }],
    [new RateLimitedError(), true, { account: 'cooldown', upstream: 'alive', retry: 'at_once' }],
    [
      new LoginRequiredError('login_wall', ''),
      true,
      { account: 'login_required', upstream: 'unknown', retry: 'at_once' },
    ],
    [new LoginReplacedError('403'), false, { account: 'unchanged', upstream: 'unknown', retry: 'at_once' }],
    [new RejectedError('too_long', ''), false, { account: 'unchanged', upstream: 'alive', retry: 'never' }],
    [new InternalError('x'), false, { account: 'unchanged', upstream: 'unknown', retry: 'never' }],
    [new UnavailableError('x', ''), false, { account: 'failed', upstream: 'failed', retry: 'after_backoff' }],
    [new UnavailableError('x', ''), true, { account: 'failed', upstream: 'failed', retry: 'never' }],
    [new TypeError('bug'), false, { account: 'failed', upstream: 'failed', retry: 'after_backoff' }],
    ['not even an error', true, { account: 'failed', upstream: 'failed', retry: 'never' }],
  ];

  it.each(cases)('%s, accepted: %s', (error, wasAccepted, verdict) => {
    expect(judgeFailure(error, wasAccepted)).toEqual(verdict);
  });

  it('says nothing of account and upstream if the session was of an older login', () => {
    const failure = new UnavailableError('upstream_status_403', '');
    expect(judgeFailure(failure, false, true)).toEqual({
      account: 'unchanged',
      upstream: 'unknown',
      retry: 'at_once',
    });
    expect(judgeFailure(failure, true, true).retry).toBe('never');
  });
});

describe('the back-off', () => {
  it('doubles up to the limit', () => {
    expect([1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, 500, 8000, 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000,
    ]);
  });

  it('is shortened by at most half', () => {
    expect(backoffMs(2, 500, 8000, 0.5)).toBe(750);
    expect(backoffMs(1, 500, 8000, 1)).toBe(250);
  });
});

describe('the retry budget', () => {
  it('keeps retries to a fifth of the requests and ten, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 2000 }), (isRequest) => {
        const budget = new RetryBudget();
        let requests = 0;
        let retries = 0;
        for (const one of isRequest) {
          if (one) {
            budget.deposit();
            requests += 1;
          } else {
            retries += Number(budget.tryWithdraw());
          }
        }
        expect(retries).toBeLessThanOrEqual(requests * 0.2 + 10 + 1e-9);
      }),
    );
  });

  it('has ten retries at the start and saves up fifty at most', () => {
    const budget = new RetryBudget();
    const spend = () => {
      let retries = 0;
      while (budget.tryWithdraw()) {
        retries += 1;
      }
      return retries;
    };
    expect(spend()).toBe(10);
    for (let request = 0; request < 1000; request += 1) {
      budget.deposit();
    }
    expect(spend()).toBe(50);
  });
});

describe('the circuit breaker', () => {
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

  it('lets the next one try when the trial said nothing', () => {
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
