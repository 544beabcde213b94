import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/time/clock.js';
import { LocalTickets } from './local-tickets.js';
import { TICKET_MS } from './stream-tickets.js';

class ManualClock extends Clock {
  ms = 0;

  now(): number {
    return this.ms;
  }

  monotonic(): number {
    return this.ms;
  }
}

const KEY = { name: 'ann', role: 'caller', digest: '0' } as const;

describe('LocalTickets', () => {
  let clock: ManualClock;
  let tickets: LocalTickets;

  beforeEach(() => {
    clock = new ManualClock();
    tickets = new LocalTickets(clock);
  });

  it('accepts a ticket once', async () => {
    const ticket = await tickets.issue(KEY);
    expect(await tickets.issue(KEY)).not.toBe(ticket);
    const redeemed = [ticket, ticket, 'ticket_other'].map((text) => tickets.redeem(text));
    expect((await Promise.all(redeemed)).map((holder) => holder?.key)).toEqual([KEY, undefined, undefined]);
  });

  it('accepts a ticket for 30 s', async () => {
    const [early, late] = [await tickets.issue(KEY), await tickets.issue(KEY)];
    clock.ms = TICKET_MS - 1;
    expect((await tickets.redeem(early))?.key).toBe(KEY);
    clock.ms = TICKET_MS;
    expect(await tickets.redeem(late)).toBeUndefined();
  });

  it('keeps the newest 1,000 tickets', async () => {
    const issued = await Promise.all(Array.from({ length: 1500 }, () => tickets.issue(undefined)));
    const redeemed = await Promise.all(issued.map((ticket) => tickets.redeem(ticket)));
    expect(issued.filter((_, at) => redeemed[at])).toEqual(issued.slice(-1000));
  });
});
