import { describe, expect, it } from '@jest/globals';
import { FairPart } from './fair-part.js';

const LEASE_MS = 3000;
const ALONE = { largest: 0, spare: 0 };

function partOf(shares: number, nodes: number): FairPart {
  const part = new FairPart(LEASE_MS);
  part.noted({ shares, nodes }, 0);
  return part;
}

describe('FairPart', () => {
  it('takes everything where there is nobody else', () => {
    expect(partOf(7, 1).wish(0, 0, ALONE)).toEqual({ claim: 7, ask: 0 });
  });

  it('takes its part rounded up of what is free, and asks for it rounded down', () => {
    expect(partOf(7, 2).wish(0, 0, { largest: 7, spare: 0 })).toEqual({ claim: 4, ask: 3 });
    expect(partOf(7, 2).wish(3, 0, { largest: 4, spare: 0 })).toEqual({ claim: 1, ask: 0 });
  });

  it('asks for one more where another node has more than its part rounded up', () => {
    expect(partOf(5, 3).wish(1, 0, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 1 });
  });

  it('asks nobody where there are more nodes than shares', () => {
    expect(partOf(2, 3).wish(0, 0, { largest: 1, spare: 0 })).toEqual({ claim: 1, ask: 0 });
  });

  it('asks for what is at rest while its requests wait, beyond its part', () => {
    expect(partOf(4, 2).wish(2, 3, { largest: 2, spare: 1 })).toEqual({ claim: 3, ask: 1 });
  });

  it('asks for no more back after lending than its requests need', () => {
    const part = partOf(40, 2);
    part.lent(10);
    expect(part.wish(10, 0, { largest: 30, spare: 0 }).ask).toBe(0);
    expect(part.wish(10, 2, { largest: 30, spare: 0 }).ask).toBe(2);
    // Also once they were served by sessions that came free, lest each peak be waited out anew.
    expect(part.wish(11, 0, { largest: 29, spare: 0 }).ask).toBe(1);
    expect(part.wish(12, 0, { largest: 28, spare: 0 }).ask).toBe(0);
    expect(part.wish(12, 50, { largest: 28, spare: 0 }).ask).toBe(8);
  });

  it('asks for nothing back after lending, until its requests wait or nodes come or go', () => {
    const part = partOf(4, 2);
    part.lent(1);
    // What the other node has asked for and not taken is for whoever has room.
    expect(part.wish(1, 0, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 0 });
    part.noted({ shares: 4, nodes: 2 }, 10);
    expect(part.wish(1, 0, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 0 });
    expect(part.wish(1, 1, { largest: 3, spare: 0 })).toEqual({ claim: 1, ask: 1 });
    part.lent(1);
    part.noted({ shares: 4, nodes: 1 }, 20);
    expect(part.wish(1, 0, ALONE).claim).toBe(3);
  });

  it('asks for one back after lending all, where there is one for each', () => {
    const part = partOf(4, 2);
    part.lent(0);
    expect(part.wish(0, 0, { largest: 4, spare: 0 }).ask).toBe(1);
    expect(part.wish(1, 0, { largest: 3, spare: 0 }).ask).toBe(0);
    const only = partOf(1, 2);
    only.lent(0);
    expect(only.wish(0, 0, { largest: 1, spare: 0 }).ask).toBe(0);
  });

  it('counts nodes that are not heard of after an outage until they had time to come back', () => {
    const part = partOf(10, 5);
    part.failed(1000);
    part.noted({ shares: 10, nodes: 1 }, 2000);
    expect(part.wish(0, 0, ALONE).claim).toBe(2);
    part.noted({ shares: 10, nodes: 1 }, 1000 + LEASE_MS);
    expect(part.wish(0, 0, ALONE).claim).toBe(10);
  });
});
