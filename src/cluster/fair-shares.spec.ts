import { describe, expect, it } from '@jest/globals';
import { FairShares } from './fair-shares.js';

const LEASE_MS = 3000;
const ALONE = { largest: 0, spare: 0 };

function fairShares(shares: number, nodes: number): FairShares {
  const fair = new FairShares(LEASE_MS);
  fair.noted({ shares, nodes }, 0);
  return fair;
}

describe('FairShares', () => {
  it('takes everything where there is nobody else', () => {
    expect(fairShares(7, 1).wish(0, 0, ALONE)).toEqual({ claim: 7, ask: 0 });
  });

  it('takes its number rounded up of what is free, and asks for it rounded down', () => {
    expect(fairShares(7, 2).wish(0, 0, { largest: 7, spare: 0 })).toEqual({ claim: 4, ask: 3 });
    expect(fairShares(7, 2).wish(3, 0, { largest: 4, spare: 0 })).toEqual({ claim: 1, ask: 0 });
  });

  it('asks for one more where another node has more than its number rounded up', () => {
    expect(fairShares(5, 3).wish(1, 0, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 1 });
  });

  it('asks nobody where there are more nodes than shares', () => {
    expect(fairShares(2, 3).wish(0, 0, { largest: 1, spare: 0 })).toEqual({ claim: 1, ask: 0 });
  });

  it('asks for what is at rest while its requests wait, beyond its number', () => {
    expect(fairShares(4, 2).wish(2, 3, { largest: 2, spare: 1 })).toEqual({ claim: 3, ask: 1 });
  });

  it('asks for no more back after lending than its requests need', () => {
    const fair = fairShares(40, 2);
    fair.lent(10);
    expect(fair.wish(10, 0, { largest: 30, spare: 0 }).ask).toBe(0);
    expect(fair.wish(10, 2, { largest: 30, spare: 0 }).ask).toBe(2);
    // Also once they were served by sessions that came free, lest each peak be waited out anew.
    expect(fair.wish(11, 0, { largest: 29, spare: 0 }).ask).toBe(1);
    expect(fair.wish(12, 0, { largest: 28, spare: 0 }).ask).toBe(0);
    expect(fair.wish(12, 50, { largest: 28, spare: 0 }).ask).toBe(8);
  });

  it('asks for nothing back after lending, until its requests wait or nodes come or go', () => {
    const fair = fairShares(4, 2);
    fair.lent(1);
    // What the other node has asked for and not taken is for whoever has room.
    expect(fair.wish(1, 0, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 0 });
    fair.noted({ shares: 4, nodes: 2 }, 10);
    expect(fair.wish(1, 0, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 0 });
    expect(fair.wish(1, 1, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 1 });
    fair.lent(1);
    fair.noted({ shares: 4, nodes: 1 }, 20);
    expect(fair.wish(1, 0, ALONE).claim).toBe(3);
  });

  it('asks for one back after lending all, where there is one for each', () => {
    const fair = fairShares(4, 2);
    fair.lent(0);
    expect(fair.wish(0, 0, { largest: 4, spare: 0 }).ask).toBe(1);
    expect(fair.wish(1, 0, { largest: 3, spare: 0 }).ask).toBe(0);
    const only = fairShares(1, 2);
    only.lent(0);
    expect(only.wish(0, 0, { largest: 1, spare: 0 }).ask).toBe(0);
  });

  it('counts nodes that are not heard of after an outage until they had time to come back', () => {
    const fair = fairShares(10, 5);
    fair.failed(1000);
    fair.noted({ shares: 10, nodes: 1 }, 2000);
    expect(fair.wish(0, 0, ALONE).claim).toBe(2);
    fair.noted({ shares: 10, nodes: 1 }, 1000 + LEASE_MS);
    expect(fair.wish(0, 0, ALONE).claim).toBe(10);
  });
});
