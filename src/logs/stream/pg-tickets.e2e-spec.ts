import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { PgTickets } from './pg-tickets.js';
import { newTicketText } from './ticket-text.js';

const KEY = { name: 'ann', role: 'caller', digest: '0' } as const;

let made: TestDatabase;
let database: PgDatabase;
let one: PgTickets;
let other: PgTickets;

beforeEach(async () => {
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
  one = new PgTickets(database);
  other = new PgTickets(database);
});
afterEach(async () => {
  await database.close();
  await made.drop();
});

describe('PgTickets', () => {
  it('accepts a ticket of another gateway, once, and only one of all', async () => {
    const ticket = await one.issue(KEY);
    const redeemed = await Promise.all([one, other, one, other].map((tickets) => tickets.redeem(ticket)));
    expect(redeemed.filter((holder) => holder !== undefined)).toEqual([{ key: KEY }]);
    expect(await other.redeem(newTicketText())).toBeUndefined();
    expect(await other.redeem(await one.issue(undefined))).toEqual({ key: undefined });
  });

  it('refuses and forgets a ticket whose time is over', async () => {
    const [late, unused] = [await one.issue(KEY), await one.issue(KEY)];
    await database.query(`UPDATE stream_tickets SET expires_at = expires_at - interval '31 seconds'`);
    expect(await other.redeem(late)).toBeUndefined();
    await one.issue(KEY);
    expect(await database.query('SELECT FROM stream_tickets')).toHaveLength(1);
    expect(await one.redeem(unused)).toBeUndefined();
  });

  it('keeps the newest 1,000 tickets, and no ticket in clear', async () => {
    await database.query(
      `INSERT INTO stream_tickets SELECT 'd' || n, clock_timestamp() + n * interval '1 ms' FROM generate_series(1, 1500) AS n`,
    );
    const ticket = await one.issue(KEY);
    expect(await database.query('SELECT FROM stream_tickets')).toHaveLength(1000);
    expect(await database.query('SELECT FROM stream_tickets WHERE digest = $1', [ticket])).toEqual([]);
  });

  it('keeps the newest 100 of a key, and those of others', async () => {
    const [first, ...others] = await Promise.all([
      one.issue(KEY),
      one.issue(undefined),
      one.issue({ ...KEY, name: 'bob' }),
    ]);
    for (let count = 0; count < 100; count++) {
      await other.issue(KEY);
    }
    expect(await database.query('SELECT FROM stream_tickets')).toHaveLength(102);
    expect(await one.redeem(first)).toBeUndefined();
    for (const ticket of others) {
      expect(await one.redeem(ticket)).toBeDefined();
    }
  });

  it('asks for nothing that is no ticket, and lets no more than 50 wait', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const other = await PgDatabase.open(made.url);
    const lock = other.transaction(async (query) => {
      await query('LOCK TABLE stream_tickets');
      locked.resolve();
      await promise;
    });
    await locked.promise;
    const waiting = Array.from({ length: 50 }, () => one.redeem(newTicketText()));
    expect(
      await Promise.all(['a-key', 'ticket_x', `${newTicketText()}x`].map((text) => one.redeem(text))),
    ).toEqual([undefined, undefined, undefined]);
    const busy = { code: 'rate_limit', reason: 'gateway_busy' };
    await expect(one.redeem(newTicketText())).rejects.toMatchObject(busy);
    await expect(one.issue(KEY)).rejects.toMatchObject(busy);
    resolve();
    await lock;
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
    expect(await one.redeem(await one.issue(KEY))).toEqual({ key: KEY });
    await other.close();
  });

  it('refuses every ticket while the database is away', async () => {
    const ticket = await one.issue(KEY);
    await database.close();
    expect(await one.redeem(ticket)).toBeUndefined();
    await expect(one.issue(KEY)).rejects.toThrow();
  });
});
