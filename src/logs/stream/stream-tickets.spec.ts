import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/time/clock.js';
import { StreamTickets, TICKET_MS } from './stream-tickets.js';

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

describe('StreamTickets', () => {
  let clock: ManualClock;
  let tickets: StreamTickets;

  beforeEach(() => {
    clock = new ManualClock();
    tickets = new StreamTickets(clock);
  });

  it('accepts a ticket once', () => {
    const ticket = tickets.issue(KEY);
    expect(tickets.issue(KEY)).not.toBe(ticket);
    expect([tickets.redeem(ticket)?.key, tickets.redeem(ticket), tickets.redeem('ticket_other')]).toEqual([
      KEY,
      undefined,
      undefined,
    ]);
  });

  it('accepts a ticket for 30 s', () => {
    const [early, late] = [tickets.issue(KEY), tickets.issue(KEY)];
    clock.ms = TICKET_MS - 1;
    expect(tickets.redeem(early)).toBeDefined();
    clock.ms = TICKET_MS;
    expect(tickets.redeem(late)).toBeUndefined();
  });

  it('keeps the newest 1,000 tickets', () => {
    const issued = Array.from({ length: 1500 }, () => tickets.issue(undefined));
    expect(issued.filter((ticket) => tickets.redeem(ticket))).toEqual(issued.slice(-1000));
  });
});
