import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { withinOneDay } from '../../../test/support/watch/one-day.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { SystemClock } from '../../common/time/clock.js';
import { type AccessKey, eachLimit, type LimitName, NO_LIMITS } from '../access-key.js';
import { PgLimitParts } from './pg-limit-parts.js';

const LEASE_MS = 60_000;

/** A node, of whose demand on each limit the test decides. */
interface Node {
  readonly database: PgDatabase;
  readonly parts: PgLimitParts;
  readonly demand: { used: number; wanted: number };
}

let made: TestDatabase;
let nodes: Node[];
/** Lengths of the lists in the statements of exchanges. */
let sizes: number[];

beforeEach(withinOneDay);
beforeEach(async () => {
  made = await createTestDatabase();
  nodes = [];
  sizes = [];
});
afterEach(async () => {
  for (const { parts, database } of nodes) {
    await parts.onApplicationShutdown();
    await database.close();
  }
  await made.drop();
});

const keyOf = (name: string, limits: Partial<AccessKey>): AccessKey =>
  ({ name, ...NO_LIMITS, ...limits }) as AccessKey;

async function start(keys: readonly AccessKey[], wanted = 0): Promise<Node> {
  const database = await PgDatabase.open(made.url);
  noteSizes(database);
  const parts = new PgLimitParts(database, new SystemClock(), LEASE_MS);
  const demand = { used: 0, wanted };
  parts.serve({
    demandOf: () => eachLimit(() => demand),
  });
  await parts.keysChanged(keys);
  await parts.onApplicationBootstrap();
  const node = { database, parts, demand };
  nodes.push(node);
  return node;
}

function noteSizes(database: PgDatabase): void {
  const transaction = database.transaction.bind(database);
  database.transaction = (work) =>
    transaction((query) =>
      work((sql, values = []) => {
        values.filter(Array.isArray).forEach(({ length }) => sizes.push(length));
        return query(sql, values);
      }),
    );
}

/** A node that was killed, and had so much of a limit of Ann's. */
const addDead = (database: PgDatabase, name: LimitName, amount: number) =>
  database.query(
    `INSERT INTO key_nodes VALUES ('dead', 1, clock_timestamp());
     INSERT INTO key_parts (key, limit_name, node, amount) VALUES ('ann', '${name}', 'dead', ${amount})`,
  );

describe('PgLimitParts', () => {
  it.each<[LimitName, string]>([
    ['requestsPerMinute', '61 seconds'],
    ['concurrentRequests', '61 seconds'],
    ['tokensPerDay', '1 day'],
  ])('takes the %s that a killed node had, though nothing else has changed', async (name, interval) => {
    const ann = keyOf('ann', { [name]: 100 });
    const { database } = await start([]);
    await addDead(database, name, 70);
    await database.query(
      `UPDATE key_nodes SET until = clock_timestamp() + interval '1 day' WHERE id = 'dead'`,
    );
    const { parts } = await start([ann], 1000);
    const part = () => parts.of(ann)?.[name];
    expect(part()).toBe(30);
    await database.query(
      `UPDATE key_nodes SET until = clock_timestamp() - interval '${interval}' WHERE id = 'dead'`,
    );
    await eventually(PATIENCE_MS, () => expect(part()).toBe(100));
  });

  it('frees what killed processes of its file have not used of the tokens of the day, once their time is over', async () => {
    const ann = keyOf('ann', { tokensPerDay: 100 });
    const { database } = await start([]);
    await addDead(database, 'tokensPerDay', 20);
    await database.query(
      `UPDATE key_nodes SET file = 'here', until = clock_timestamp() - interval '1 second';
       INSERT INTO key_nodes VALUES ('other', 1, clock_timestamp(), 'elsewhere'),
         ('killed', 1, clock_timestamp() + interval '1 hour', 'here');
       INSERT INTO key_parts (key, limit_name, node, amount) VALUES ('ann', 'tokensPerDay', 'killed', 70),
         ('ann', 'requestsPerMinute', 'killed', 70), ('ann', 'tokensPerDay', 'other', 5)`,
    );
    const held = () =>
      database.query(
        `SELECT node, limit_name AS name, amount FROM key_parts WHERE node IN ('dead', 'killed', 'other') ORDER BY 1, 2`,
      );
    const before = await held();
    const { parts } = await start([ann], 100);
    parts.usedEarlier({ file: 'here', tokens: new Map([['ann', 30]]) });
    await eventually(PATIENCE_MS, async () =>
      expect(await database.query("SELECT FROM key_nodes WHERE file = 'here'")).toHaveLength(3),
    );
    expect([await held(), parts.of(ann)?.tokensPerDay]).toEqual([before, 5]);
    await database.query(`UPDATE key_nodes SET until = clock_timestamp() WHERE id = 'killed'`);
    await eventually(PATIENCE_MS, () => expect(parts.of(ann)?.tokensPerDay).toBe(65));
    expect(await held()).toEqual([
      { node: 'dead', name: 'tokensPerDay', amount: 20 },
      { node: 'killed', name: 'requestsPerMinute', amount: 70 },
      { node: 'killed', name: 'tokensPerDay', amount: 10 },
      { node: 'other', name: 'tokensPerDay', amount: 5 },
    ]);
  });

  it('has the tokens of the day anew once the nodes of before are forgotten, as docs/cluster.md says', async () => {
    const ann = keyOf('ann', { tokensPerDay: 100 });
    const { database } = await start([]);
    await addDead(database, 'tokensPerDay', 100);
    const killed = await start([ann], 100);
    expect(killed.parts.of(ann)?.tokensPerDay).toBe(0);
    await killed.parts.onApplicationShutdown();
    await database.query('DELETE FROM key_nodes');
    const { parts } = await start([ann], 100);
    expect(parts.of(ann)?.tokensPerDay).toBe(100);
  });

  it('gives up again what it could not give up because a statement failed', async () => {
    const ann = keyOf('ann', { requestsPerMinute: 100 });
    const one = await start([ann], 100);
    const two = await start([ann]);
    const amounts = () => [one, two].map(({ parts }) => parts.of(ann)?.requestsPerMinute);
    await eventually(PATIENCE_MS, () => expect(amounts()).toEqual([86, 14]));
    const failing = jest
      .spyOn(one.database, 'transaction')
      .mockRejectedValueOnce(new Error('the connection was lost'));
    one.demand.wanted = 0;
    two.demand.wanted = 100;
    await eventually(PATIENCE_MS, () => expect(amounts()).toEqual([14, 86]));
    expect(failing.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it('reads all its parts where the versions have leapt, as another server has lost changes of them', async () => {
    const ann = keyOf('ann', { requestsPerMinute: 100 });
    const { database, parts, demand } = await start([ann], 100);
    await eventually(PATIENCE_MS, () => expect(parts.of(ann)?.requestsPerMinute).toBe(100));
    demand.wanted = 0;
    demand.used = 100;
    await addDead(database, 'requestsPerMinute', 70);
    await database.query(
      `UPDATE key_parts SET amount = 30 WHERE node <> 'dead';
       UPDATE key_nodes SET until = clock_timestamp() + interval '1 day' WHERE id = 'dead';
       UPDATE shared_versions SET version = version + 1000000 WHERE topic = 'key_parts'`,
    );
    await eventually(PATIENCE_MS, () => expect(parts.of(ann)?.requestsPerMinute).toBe(30));
  });

  it('exchanges the parts of many keys in many small steps', async () => {
    const keys = Array.from({ length: 1200 }, (_, at) =>
      keyOf(`key ${at}`, { requestsPerMinute: 100, concurrentRequests: 10, tokensPerDay: 1000 }),
    );
    const all = await Promise.all([start(keys), start(keys)]);
    await eventually(PATIENCE_MS, () => {
      for (const key of keys) {
        const [first, second] = all.map(({ parts }) => parts.of(key)!);
        expect(first!.requestsPerMinute! + second!.requestsPerMinute!).toBe(100);
        expect(Math.min(first!.requestsPerMinute!, second!.requestsPerMinute!)).toBeGreaterThanOrEqual(14);
      }
    });
    expect(Math.max(...sizes)).toBeLessThan(1000);
  });

  it('only says that it lives while nothing changes, and reads what others change without a lock', async () => {
    const ann = keyOf('ann', { requestsPerMinute: 100 });
    const one = await start([ann], 100);
    const two = await start([ann]);
    const amounts = () => [one, two].map(({ parts }) => parts.of(ann)?.requestsPerMinute);
    await eventually(PATIENCE_MS, () => expect(amounts()).toEqual([86, 14]));
    const renewed = jest.spyOn(two.database, 'queryReserved');
    const read = jest.spyOn(two.database, 'query');
    const readsOfTwoBeats = async () => {
      const [beats, reads] = [renewed.mock.calls.length, read.mock.calls.length];
      await eventually(PATIENCE_MS, () =>
        expect(renewed.mock.calls.length).toBeGreaterThanOrEqual(beats + 2),
      );
      return read.mock.calls.length - reads;
    };
    // What it was told of last, it reads yet.
    await eventually(PATIENCE_MS, async () => expect(await readsOfTwoBeats()).toBe(0));
    const exchanged = jest.spyOn(two.database, 'transaction');
    const reads = read.mock.calls.length;
    one.demand.wanted = 50;
    await eventually(PATIENCE_MS, () => expect(read.mock.calls.length).toBeGreaterThan(reads));
    await readsOfTwoBeats();
    expect(exchanged).not.toHaveBeenCalled();
  });
});
