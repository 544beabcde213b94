import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallerKey } from '../../common/http/access/caller-key.js';
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

  it('keeps the newest 1,000 tickets, of each key 100', async () => {
    const issue = (key: CallerKey | undefined, count: number) =>
      Promise.all(Array.from({ length: count }, () => tickets.issue(key)));
    const others = await issue(undefined, 1);
    const ofKey = await issue(KEY, 150);
    const ofTen = await Promise.all(
      Array.from({ length: 10 }, (_, at) => issue({ ...KEY, name: `key-${at}` }, 89)),
    );
    const issued = [...others, ...ofKey, ...ofTen.flat()];
    const redeemed = await Promise.all(issued.map((ticket) => tickets.redeem(ticket)));
    const lost = issued.filter((_, at) => !redeemed[at]);
    expect(lost).toEqual(ofKey.slice(0, 50));
  });

  it('forgets the oldest of all above 1,000', async () => {
    const issued: string[] = [];
    for (let at = 0; at < 1200; at++) {
      issued.push(await tickets.issue({ ...KEY, name: `key-${at % 20}` }));
    }
    const redeemed = await Promise.all(issued.map((ticket) => tickets.redeem(ticket)));
    expect(issued.filter((_, at) => redeemed[at])).toEqual(issued.slice(-1000));
  });
});
