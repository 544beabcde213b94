import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { SystemClock } from '../../common/time/clock.js';
import { type KeyLimits } from '../access-key.js';
import { KeyLimiter } from './key-limiter.js';

const limitsOf = (tokensPerDay: number): KeyLimits => ({
  requestsPerMinute: null,
  concurrentRequests: null,
  tokensPerDay,
});

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
});
