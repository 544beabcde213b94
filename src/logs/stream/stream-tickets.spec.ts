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

describe('StreamTickets', () => {
  let clock: ManualClock;
  let tickets: StreamTickets;

  beforeEach(() => {
    clock = new ManualClock();
    tickets = new StreamTickets(clock);
  });

  it('accepts a ticket once', () => {
    const ticket = tickets.issue();
    expect(tickets.issue()).not.toBe(ticket);
    expect([tickets.redeem(ticket), tickets.redeem(ticket), tickets.redeem('ticket_other')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('accepts a ticket for 30 s', () => {
    const [early, late] = [tickets.issue(), tickets.issue()];
    clock.ms = TICKET_MS - 1;
    expect(tickets.redeem(early)).toBe(true);
    clock.ms = TICKET_MS;
    expect(tickets.redeem(late)).toBe(false);
  });

  it('keeps the newest 1,000 tickets', () => {
    const issued = Array.from({ length: 1500 }, () => tickets.issue());
    expect(issued.filter((ticket) => tickets.redeem(ticket))).toEqual(issued.slice(-1000));
  });
});
