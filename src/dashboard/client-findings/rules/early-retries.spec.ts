import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { earlyRetries } from './early-retries.js';

const START = 1_700_000_000_000;
const message = 'All accounts are limited. Please try again in 30s.';

/** Refusals of one request, or of several, in 20 ms each. */
const limited = (
  count: number,
  everyMs: number,
  excerpt: (index: number) => string | undefined = () => 'Hello!',
) =>
  trafficOf(
    refusalsOf(count, { reason: 'rate_limited', message }, (index) => ({
      startedAt: START + index * everyMs,
      totalMs: 20,
      excerpt: excerpt(index),
    })),
  );

describe('earlyRetries', () => {
  it('are found where the same request comes back before its time', () => {
    expect(earlyRetries(limited(6, 2000))).toMatchObject([{ requests: { length: 5 } }]);
  });

  it.each([
    ['the client waits', limited(9, 29_500)],
    ['it gives up after a few tries', limited(5, 2000)],
    ['other requests come', limited(9, 2000, String)],
    ['several come at once', limited(9, 2)],
    ['no texts are kept', limited(9, 2000, () => undefined)],
  ])('are not found where %s', (_, traffic) => {
    expect(earlyRetries(traffic)).toEqual([]);
  });
});
