import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { withinOneDay } from '../../../test/support/watch/one-day.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { FOLLOW } from '../../logs/shared/feed.js';
import { SharedConnection } from '../../logs/shared/shared-connection.js';
import { type LimitName } from '../access-key.js';
import {
  enterParts,
  exchangeParts,
  findChanged,
  leaveParts,
  type PartOrder,
  readStoredParts,
  renewParts,
} from './part-statements.js';

const LEASE_MS = 60_000;

let made: TestDatabase;
let database: PgDatabase;
let beats: number;

beforeEach(withinOneDay);
beforeEach(async () => {
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
  beats = 0;
});
afterEach(async () => {
  await database.close();
  await made.drop();
});

const as = (node: string, nodeLeaseMs = LEASE_MS) => ({ node, beat: ++beats, nodeLeaseMs });
const order = (changes: Partial<PartOrder> = {}): PartOrder => ({
  key: 'ann',
  name: 'requestsPerMinute',
  limit: 100,
  keep: 0,
  target: 0,
  want: 0,
  ...changes,
});

/** An exchange of a node, whose time begins with it if need be. */
async function exchange(node: string, orders: readonly PartOrder[]) {
  const answer = await exchangeParts(database, as(node), orders);
  if (!answer) {
    await enterParts(database, as(node));
  }
  return answer ?? (await exchangeParts(database, as(node), orders));
}

/** A node's part after an exchange. */
async function exchanged(node: string, changes: Partial<PartOrder>): Promise<number | undefined> {
  const answer = await exchange(node, [order(changes)]);
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

  it('are taken while somebody follows the log', async () => {
    const log = new SharedConnection(made.url);
    const { promise: hasEnded, resolve } = Promise.withResolvers<void>();
    const end = await log.listen(FOLLOW, () => undefined, resolve);
    expect(await exchanged('a', { target: 70 })).toBe(70);
    end();
    await Promise.all([hasEnded, log.end()]);
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
    expect(await readStoredParts(database, 'a', [order(), order({ key: 'bob' })])).toEqual([
      { key: 'ann', name: 'requestsPerMinute', amount: 70, want: 70, taken: 100, missing: 30 },
    ]);
    expect((await renewParts(database, as('a'), 5000)).nodes).toBe(2);
  });

  it('of a grant that the node never heard of are given up again', async () => {
    await exchanged('a', { target: 70 });
    expect(await exchanged('a', { keep: 20, target: 20 })).toBe(20);
  });

  it('change nothing when an earlier statement is carried out late', async () => {
    const late = as('a');
    await exchanged('a', { target: 70 });
    expect(await exchangeParts(database, late, [order({ keep: 5 })])).toBeUndefined();
    expect(await enterParts(database, late)).toBeUndefined();
    expect((await readStoredParts(database, 'a', [order()]))[0]?.amount).toBe(70);
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
    expect((await renewParts(database, as('b'), 5000)).nodes).toBe(1);
  });

  it('of a node whose time is over cannot be changed, not even to leave', async () => {
    await exchanged('a', { target: 70 });
    await age('a', '30 seconds');
    expect(await exchangeParts(database, as('a'), [order()])).toBeUndefined();
    await leaveParts(database, as('a'), []);
    expect((await readStoredParts(database, 'a', [order()]))[0]?.amount).toBe(70);
  });

  it('are found where any node has changed its own', async () => {
    await exchanged('a', { target: 70 });
    await exchanged('b', { key: 'bob', target: 70 });
    const { version } = await renewParts(database, as('a'), 5000);
    expect(await findChanged(database, 0, version)).toHaveLength(2);
    expect(await findChanged(database, version, version + 10)).toEqual([]);
    await exchanged('b', { target: 10 });
    expect(await findChanged(database, version, version + 1)).toEqual([
      { key: 'ann', name: 'requestsPerMinute' },
    ]);
  });

  it.each(['1 second', '61 seconds', '1 day'])('tell when others count no longer: %s', async (interval) => {
    await exchanged('a', { target: 70 });
    await exchanged('b', { target: 30 });
    const ended = async () => (await renewParts(database, as('b'), 5000)).ended;
    await age('a', '0 seconds');
    const before = await ended();
    expect(await ended()).toBe(before);
    await age('a', interval);
    expect(await ended()).not.toBe(before);
  });

  it('are exchanged at a cost in proportion to their number', async () => {
    const ordersOf = (count: number, keep: number) =>
      Array.from({ length: count }, (_, at) =>
        order({ key: `key ${at}`, keep, target: 100 - keep, want: keep }),
      );
    await exchange('a', ordersOf(4000, 0));
    let keep = 0;
    const cost = async (count: number) => {
      keep += 1;
      const began = performance.now();
      await exchange('a', ordersOf(count, keep));
      return performance.now() - began;
    };
    let ratio = Infinity;
    for (let done = 0; done < 4 && ratio >= 24; done += 1) {
      ratio = Math.min(ratio, (await cost(4000)) / (await cost(500)));
    }
    // In quadratic time, 64.
    expect(ratio).toBeLessThan(24);
  });
});
