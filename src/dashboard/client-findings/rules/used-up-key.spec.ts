import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { usedUpKey } from './used-up-key.js';

const limited = (count: number) =>
  trafficOf(refusalsOf(count, { reason: 'key_limited', message: "The key 'ci' has sent 60 requests." }));

describe('usedUpKey', () => {
  it('is found where its limits are met again and again', () => {
    expect(usedUpKey(limited(10))).toMatchObject([
      { symptom: expect.stringContaining("The key 'ci' has sent 60 requests."), page: 'keys' },
    ]);
  });

  it('is not found where they are met now and then, or those of the accounts are', () => {
    expect(usedUpKey(limited(9))).toEqual([]);
    expect(usedUpKey(trafficOf(refusalsOf(99, { reason: 'rate_limited' })))).toEqual([]);
  });
});
