import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { type LimitName } from './limit-parts.js';
import { exchangeParts, leaveParts, type PartOrder, renewParts } from './part-statements.js';

const LEASE_MS = 60_000;

let made: TestDatabase;
let database: PgDatabase;
let beats: number;

beforeEach(async () => {
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
  beats = 0;
});
afterEach(async () => {
  await database.close();
  await made.drop();
});

const as = (node: string, leaseMs = LEASE_MS) => ({ node, beat: ++beats, leaseMs });
const order = (changes: Partial<PartOrder> = {}): PartOrder => ({
  key: 'ann',
  name: 'requestsPerMinute',
  limit: 100,
  keep: 0,
  target: 0,
  want: 0,
  ...changes,
});

/** A node's part after an exchange. */
async function exchanged(node: string, changes: Partial<PartOrder>): Promise<number | undefined> {
  const answer = await exchangeParts(database, as(node), [order(changes)]);
  return answer?.parts.find(({ key, name }) => key === 'ann' && name === (changes.name ?? order().name))
    ?.amount;
}

/** As if a node had not been heard of for so long after its time was over. */
const age = (node: string, interval: string) =>
  database.query(`UPDATE key_nodes SET until = clock_timestamp() - $2::interval WHERE id = $1`, [
    node,
    interval,
  ]);

describe('parts of limits', () => {
  it('are renewed while other statements hold all connections', async () => {
    await exchanged('a', { target: 70 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = [1, 2, 3].map(() => database.transaction(() => promise));
    expect(await renewParts(database, as('a'), LEASE_MS)).toMatchObject({ isRenewed: true });
    resolve();
    await Promise.all(others);
  });

  it('are taken of what is free, and given up', async () => {
    expect(await exchanged('a', { target: 70 })).toBe(70);
    expect(await exchanged('b', { target: 50 })).toBe(30);
    expect(await exchanged('a', { keep: 40, target: 40 })).toBe(40);
    expect(await exchanged('b', { keep: 30, target: 50 })).toBe(50);
    expect(await exchanged('c', { key: 'bob', target: 100 })).toBeUndefined();
  });

  it('add up to the limit when many nodes ask at once', async () => {
    const amounts = await Promise.all(
      Array.from({ length: 8 }, (_, at) => exchanged(`n${at}`, { target: 30 })),
    );
    expect(amounts.reduce((sum, amount) => sum! + amount!, 0)).toBe(100);
  });

  it('tell what is taken, and what others want', async () => {
    await exchanged('a', { target: 70, want: 70 });
    await exchanged('b', { target: 60, want: 60 });
    const answer = await exchangeParts(database, as('a'), []);
    expect(answer).toMatchObject({ nodes: 2, parts: [{ amount: 70, want: 70, taken: 100, missing: 30 }] });
  });

  it('of a grant that the node never heard of are given up again', async () => {
    await exchanged('a', { target: 70 });
    expect(await exchanged('a', { keep: 20, target: 20 })).toBe(20);
  });

  it('change nothing when an earlier statement is carried out late', async () => {
    const late = as('a');
    await exchanged('a', { target: 70 });
    expect(await exchangeParts(database, late, [order({ keep: 5 })])).toBeUndefined();
    expect((await exchangeParts(database, as('a'), []))?.parts[0]?.amount).toBe(70);
    expect((await renewParts(database, late, 5000)).isRenewed).toBe(false);
    expect((await renewParts(database, as('a'), 5000)).isRenewed).toBe(true);
  });

  it.each<[LimitName, string, number]>([
    ['requestsPerMinute', '50 seconds', 30],
    ['requestsPerMinute', '61 seconds', 100],
    ['concurrentRequests', '61 seconds', 100],
    ['tokensPerDay', '2 days', 100],
  ])('%s of a node that was gone for %s leave %i', async (name, interval, free) => {
    await exchanged('a', { name, target: 70 });
    await age('a', interval);
    expect(await exchanged('b', { name, target: 100 })).toBe(free);
    // The node that comes back has what nobody could take meanwhile.
    expect(await exchanged('a', { name, keep: 70, target: 70 })).toBe(free === 30 ? 70 : 0);
  });

  it('tokensPerDay of a node that is gone stay taken until midnight', async () => {
    await exchanged('a', { name: 'tokensPerDay', target: 70 });
    await database.query(
      `UPDATE key_nodes SET until = least(clock_timestamp(),
         greatest(clock_timestamp() - interval '5 minutes', date_trunc('day', clock_timestamp(), 'UTC'))) WHERE id = 'a'`,
    );
    expect(await exchanged('b', { name: 'tokensPerDay', target: 100 })).toBe(30);
  });

  it('of a node that leaves are free but for what is in use', async () => {
    await exchanged('a', { target: 70 });
    await leaveParts(database, as('a'), [order({ keep: 10, target: 10 })]);
    expect(await exchanged('b', { target: 100 })).toBe(90);
    expect((await exchangeParts(database, as('b'), []))?.nodes).toBe(1);
  });
});
