import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { DEFAULT_LIMIT_FORMAT } from '../../common/http/access/limit-format.js';
import { errorHeaders } from '../../common/http/answer/error-headers.js';
import { Clock } from '../../common/time/clock.js';
import { type AccessKey, type KeyLimits, NO_LIMITS } from '../access-key.js';
import { KeyLimiters } from './key-limiters.js';
import { WholeLimits } from './limit-parts.js';

const DAY_MS = 86_400_000;

class ManualClock extends Clock {
  ms = DAY_MS;

  now(): number {
    return this.ms;
  }

  monotonic(): number {
    return this.ms;
  }
}

/** Half of each limit of requests is this node's. */
class HalfLimits extends WholeLimits {
  override of(key: AccessKey): AccessKey {
    const { requestsPerMinute } = key;
    return { ...key, requestsPerMinute: requestsPerMinute && requestsPerMinute / 2 };
  }
}

function key(limits: Partial<KeyLimits>): AccessKey {
  return {
    name: 'ann',
    role: 'caller',
    models: null,
    isEnabled: true,
    expiresAt: null,
    priority: 'interactive',
    createdAt: 0,
    revokedAt: null,
    lastUsedAt: null,
    ...NO_LIMITS,
    ...limits,
  };
}

describe('KeyLimiters', () => {
  let clock: ManualClock;
  let limiters: KeyLimiters;

  beforeEach(() => {
    clock = new ManualClock();
    limiters = new KeyLimiters(clock, new WholeLimits());
  });

  const limited = key({ tokensPerDay: 100 });

  it('counts what was used on this day before the start, and since then without a limit', () => {
    limiters.count(key({}), 5);
    expect(() => limiters.tokensLeft(limited)).toThrow('the usage of the key today is not known yet.');
    limiters.takeUsedToday(new Map([['ann', 30]]));
    expect(limiters.tokensLeft(limited)).toBe(70);
    limiters.count(key({}), 8);
    expect(limiters.tokensLeft(limited)).toBe(62);
  });

  it('forgets at midnight what was used before the start, of keys that were not used since, too', () => {
    limiters.takeUsedToday(new Map([['ann', 30]]));
    clock.ms += DAY_MS;
    expect(limiters.tokensLeft(limited)).toBe(100);
  });

  it.each([
    ['all of a limit', WholeLimits, 'may send 2 requests a minute', '60'],
    [
      'its part of a limit',
      HalfLimits,
      'may send 2 requests a minute, and has used its part of them here',
      '1',
    ],
  ])('says when %s will be free again', (_what, Parts, text, retryAfter) => {
    limiters = new KeyLimiters(clock, new Parts());
    const enter = (): void => {
      const answer = new ServerResponse(new IncomingMessage(new Socket()));
      limiters.countRequest(key({ requestsPerMinute: 2 }), answer, DEFAULT_LIMIT_FORMAT);
    };
    let refusal: GatewayError | undefined;
    for (let asked = 0; asked < 3; asked += 1) {
      try {
        enter();
      } catch (error) {
        refusal = error as GatewayError;
      }
    }
    expect([refusal?.message, refusal && errorHeaders(refusal)]).toEqual([
      `The key 'ann' ${text}.`,
      { 'Retry-After': retryAfter },
    ]);
  });
});
