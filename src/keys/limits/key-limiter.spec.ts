import { describe, expect, it } from '@jest/globals';
import { SteppedClock } from '../../../test/support/gateway/accounts-rig.js';
import { InvalidRequestError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { SystemClock } from '../../common/time/clock.js';
import { type KeyLimits, NO_LIMITS } from '../access-key.js';
import { KeyLimiter } from './key-limiter.js';

const limitsOf = (tokensPerDay: number): KeyLimits => ({ ...NO_LIMITS, tokensPerDay });

describe('KeyLimiter', () => {
  /** Sets tokens aside of a limit, of which a part is here. */
  const reserve = (limit: number, part: number, wanted: number, least?: number): number | undefined =>
    new KeyLimiter('ann', new SystemClock()).reserve(
      wanted,
      { limits: limitsOf(limit), part: limitsOf(part) },
      least,
    )?.tokens;

  it('sets aside what is left where that suffices', () => {
    expect([reserve(60_000, 60_000, 65_537, 2), reserve(60_000, 60_000, 500, 2)]).toEqual([60_000, 500]);
    expect(() => reserve(60_000, 60_000, 65_537)).toThrow(InvalidRequestError);
    expect(() => reserve(10, 10, 20, 11)).toThrow(
      "The key 'ann' may use 10 tokens a day, and this request may take 11.",
    );
  });

  it('takes a part of a limit only if that is enough, since it grows', () => {
    expect([reserve(60_000, 30_000, 65_537, 2), reserve(60_000, 1000, 900, 2)]).toEqual([30_000, 900]);
    expect(() => reserve(60_000, 1000, 65_537, 2)).toThrow(TooManyRequestsError);
  });

  it('says of which limit the requests under way are all, and of which a part', () => {
    const limiter = new KeyLimiter('ann', new SystemClock());
    const three = { ...NO_LIMITS, concurrentRequests: 3 };
    const enter = (concurrentRequests: number): void =>
      limiter.enter({ limits: three, part: { ...NO_LIMITS, concurrentRequests } });
    enter(1);
    expect(() => enter(1)).toThrow(
      "The key 'ann' has 1 requests under way here, its part of the 3 that it may have.",
    );
    enter(3);
    enter(3);
    expect(() => enter(3)).toThrow("The key 'ann' has 3 requests under way, and may have 3.");
  });

  it('takes a little of a part that has not grown for five seconds of refusals, or has its callers wait longer', () => {
    const clock = new SteppedClock();
    const limiter = new KeyLimiter('ann', clock);
    const divided = { limits: limitsOf(60_000), part: limitsOf(1000) };
    const waits = (work: () => unknown): number | undefined => {
      try {
        work();
        return undefined;
      } catch (error) {
        return (error as TooManyRequestsError).retryAfterMs;
      }
    };
    for (let seconds = 0; seconds < 5; seconds += 1) {
      expect(waits(() => limiter.reserve(65_537, divided, 2))).toBe(1000);
      clock.pass(1000);
    }
    expect(limiter.reserve(65_537, divided, 2)?.tokens).toBe(1000);
    expect(waits(() => limiter.enter(divided))).toBe(60_000);
    clock.pass(60_000);
    expect(waits(() => limiter.enter(divided))).toBe(1000);
  });
});
