import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DatabaseProxy } from '../../../test/support/postgres/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { storedTexts, textsOf } from '../../../test/support/responses/stored-texts.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { SharedChanges } from '../../cluster/shared-changes.js';
import { Settings } from '../../common/config/settings.js';
import { pgClient } from '../../common/store/pg-client.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { type Clock, SystemClock } from '../../common/time/clock.js';
import { PgResponseStore } from './pg-response-store.js';
import { PgResponseTable } from './pg-response-table.js';
import { type ResponseRecord } from './response-record.js';

const DAY_MS = 86_400_000;
const LEASE_MS = 600_000;
const ID = 'resp_1';
const key = { id: ID, owner: 'ann' };
const over: ResponseRecord = {
  id: ID,
  owner: 'ann',
  createdAt: 1000,
  previous: null,
  status: 'completed',
  body: '{"id":"resp_1","status":"completed","error":null}',
  input: '[]',
  events: null,
};
const running: ResponseRecord = {
  ...over,
  status: 'in_progress',
  body: '{"id":"resp_1","status":"in_progress","error":null}',
  events: 'x',
};
const ended: ResponseRecord = { ...over, events: 'xyz' };

interface Node {
  readonly store: PgResponseStore;
  readonly changes: SharedChanges;
  readonly database: PgDatabase;
  /** Ids of the responses that it was told to give up. */
  readonly givenUp: string[];
}

let made: TestDatabase;
let proxy: DatabaseProxy;
let nodes: Node[];

beforeEach(async () => {
  Logger.overrideLogger(false);
  made = await createTestDatabase();
  proxy = await DatabaseProxy.start(made.url);
  nodes = [];
});

afterEach(async () => {
  proxy.thaw();
  for (const { store, changes, database } of nodes) {
    await store.onApplicationShutdown();
    await changes.onApplicationShutdown();
    await database.close();
  }
  await proxy.close();
  await made.drop();
});

/** For what a busy machine may take. */
const LONG = Array<number>(600).fill(100);

/** @param options `url` of the database; through the proxy to cut it off */
async function node({
  url = made.url,
  lookAgainMs,
  changed = {},
  clock = new SystemClock(),
}: {
  url?: string;
  lookAgainMs?: readonly number[];
  changed?: Partial<Settings>;
  clock?: Clock;
} = {}): Promise<Node> {
  const database = await PgDatabase.open(url);
  const changes = new SharedChanges(database, () => 0);
  const settings = Object.assign(new Settings(), { RESPONSE_RETENTION_DAYS: 36_500, ...changed });
  const name = `node-${nodes.length}`;
  const table = new PgResponseTable(database.connectionOptions, { node: name, nodeLeaseMs: LEASE_MS });
  const store = new PgResponseStore(settings, clock, {
    table,
    changes,
    nodeLeaseMs: LEASE_MS,
    ...(lookAgainMs && { lookAgainMs }),
  });
  const givenUp: string[] = [];
  store.givenUp$.subscribe((id) => givenUp.push(id));
  changes.onApplicationBootstrap();
  const opened = { store, changes, database, givenUp };
  nodes.push(opened);
  return opened;
}

/** Lets the time pass for which a node's word counts. */
async function lapse(): Promise<void> {
  await nodes[0]!.database.query('UPDATE response_runs SET until = clock_timestamp()');
}

describe('PgResponseStore of several gateways', () => {
  it('finds what another one has stored, also if that comes a moment later', async () => {
    const [one, other] = [await node(), await node({ lookAgainMs: LONG })];
    const finding = storedTexts(other.store, key);
    const continuing = other.store.chain({ ...key, maxLength: Number.MAX_SAFE_INTEGER });
    await one.store.put(over);
    expect(await finding).toEqual(textsOf(over));
    expect(await continuing).toHaveLength(1);
    expect(await other.store.remove(key)).toBe(true);
    await eventually(PATIENCE_MS, async () => expect(await storedTexts(one.store, key)).toBeUndefined());
  });

  it('knows one that another makes, and waits for its end before it is continued', async () => {
    const [one, other] = [await node(), await node({ lookAgainMs: LONG })];
    await one.store.put(running);
    expect(await storedTexts(other.store, key)).toEqual(textsOf(running));
    expect(await other.store.isHeld(key)).toBe(true);
    const continuing = other.store.chain({ ...key, maxLength: Number.MAX_SAFE_INTEGER });
    await one.store.put(ended);
    expect(await continuing).toMatchObject([{ status: 'completed' }]);
    expect(await other.store.isHeld(key)).toBe(false);
    expect(await storedTexts(other.store, key)).toEqual(textsOf(ended));
  });

  it('keeps what it makes while all reads wait', async () => {
    const one = await node();
    await one.store.put(running);
    const table = new PgResponseTable(one.database.connectionOptions, {
      node: 'node-0',
      nodeLeaseMs: LEASE_MS,
    });
    const locker = new (pgClient().Client)({ connectionString: made.url });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE responses');
    const reads = [1, 2].map(() => table.read({ ...key, column: 'body', maxLength: 1 }).catch(() => 'late'));
    const first = await Promise.race([...reads, table.renew([ID])]);
    expect(first).toEqual([{ id: ID, isGivenUp: false }]);
    await locker.end();
    await Promise.all(reads);
    await table.close();
  });

  it('fails for good what nobody makes any more', async () => {
    const [one, other] = [await node(), await node()];
    await one.store.put(running);
    await lapse();
    expect(await other.store.isHeld(key)).toBe(false);
    expect(await other.store.chain({ ...key, maxLength: Number.MAX_SAFE_INTEGER })).toMatchObject([
      { status: 'failed' },
    ]);
    const failed = {
      id: ID,
      status: 'failed',
      error: {
        code: 'server_error',
        message: 'The gateway that made the response ended before it was complete.',
      },
    };
    const found = await storedTexts(other.store, key);
    expect(found?.status).toBe('failed');
    expect(JSON.parse(found!.body!)).toEqual(failed);
    // The gateway had only been suspended.
    await one.store.put(ended);
    await one.store.put({ ...over, id: 'resp_2' });
    await eventually(PATIENCE_MS, async () =>
      expect(await storedTexts(other.store, { ...key, id: 'resp_2' })).toBeDefined(),
    );
    expect(JSON.parse((await storedTexts(other.store, key))!.body!)).toEqual(failed);
  });

  it('waits after an outage for whoever makes it, as long as that lives', async () => {
    const [one, other] = [await node(), await node()];
    await one.store.put(running);
    // All seem to have given up what they make; then their beats come first.
    await lapse();
    const seen = (ago: string) =>
      one.database.query(
        `INSERT INTO nodes (id, provider, version, seen_at) VALUES ('node-0', '', '', clock_timestamp() - $1::interval)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
        [ago],
      );
    await seen('-1 min');
    expect(await other.store.isHeld(key)).toBe(true);
    expect((await storedTexts(other.store, key))?.status).toBe('in_progress');
    await seen('1 min');
    expect((await storedTexts(other.store, key))?.status).toBe('failed');
  });

  it('ends at once what a gateway leaves under way when it stops', async () => {
    const [one, other] = [await node(), await node()];
    await one.store.put(running);
    await one.store.onApplicationShutdown();
    nodes.shift();
    await one.changes.onApplicationShutdown();
    await one.database.close();
    expect((await storedTexts(other.store, key))?.status).toBe('failed');
  });

  it('renews nothing that it has left, whatever is announced meanwhile', async () => {
    const calls: string[] = [];
    let announce = (): Promise<void> => Promise.resolve();
    const table = {
      begin: () => Promise.resolve(),
      renew: () => Promise.resolve(calls.push('renew')).then(() => []),
      leave: () => Promise.resolve(calls.push('leave')).then(() => announce()),
      close: () => Promise.resolve(calls.push('close')),
    } as unknown as PgResponseTable;
    const changes = {
      follow: (_: string, take: () => Promise<void>) => (announce = take),
    } as unknown as SharedChanges;
    const shared = { table, changes, nodeLeaseMs: LEASE_MS };
    const store = new PgResponseStore(new Settings(), new SystemClock(), shared);
    await store.put(running);
    await announce();
    await store.onApplicationShutdown();
    expect(calls).toEqual(['renew', 'leave', 'close']);
  });

  it('tells the one that makes it of a cancellation, and of nobody else’s', async () => {
    const [one, other] = [await node(), await node()];
    await one.store.put(running);
    await one.store.put({ ...running, id: 'resp_2' });
    await other.store.giveUp({ ...key, owner: 'bob' });
    await other.store.giveUp(key);
    await eventually(PATIENCE_MS, () => expect(one.givenUp).toContain(ID));
    await one.store.put({ ...ended, status: 'cancelled' });
    await eventually(PATIENCE_MS, async () =>
      expect(await storedTexts(other.store, key)).toMatchObject({ status: 'cancelled' }),
    );
    expect([new Set(one.givenUp), other.givenUp]).toEqual([new Set([ID]), []]);
  });

  it('tells the one that makes it that it was deleted, and does not bring it back', async () => {
    const [one, other] = [await node(), await node()];
    await one.store.put(running);
    expect(await other.store.remove(key)).toBe(true);
    await eventually(PATIENCE_MS, () => expect(one.givenUp).toContain(ID));
    await one.store.put({ ...ended, status: 'cancelled' });
    await one.store.put({ ...over, id: 'resp_2' });
    await eventually(PATIENCE_MS, async () =>
      expect(await storedTexts(other.store, { ...key, id: 'resp_2' })).toBeDefined(),
    );
    expect(await storedTexts(other.store, key)).toBeUndefined();
  });
});

it('does not bring back what was deleted, whose confirmation was lost when it was stored', async () => {
  const { store, database } = await node();
  const holder = { node: 'cut off', nodeLeaseMs: LEASE_MS };
  const cutOff = new PgResponseTable(database.connectionOptions, holder);
  await cutOff.end(over);
  expect(await store.remove(key)).toBe(true);
  await cutOff.end(over);
  expect(await storedTexts(store, key)).toBeUndefined();
  const next = { ...over, id: 'resp_2' };
  await cutOff.end(next);
  await cutOff.end(next);
  expect(await storedTexts(store, { ...key, id: 'resp_2' })).toBeDefined();
  await cutOff.close();
});

it('deletes what is too old by the clock of the server, not by one that is wrong', async () => {
  const changed = { RESPONSE_RETENTION_DAYS: 2 };
  const right = await node({ changed });
  const ahead = await node({
    changed,
    clock: Object.assign(new SystemClock(), { now: () => Date.now() + 30 * DAY_MS }),
  });
  await right.store.put({ ...over, id: 'old', createdAt: Date.now() - 3 * DAY_MS });
  await right.store.put({ ...over, createdAt: Date.now() });
  const left = async () =>
    (await right.database.query<{ id: string }>('SELECT id FROM responses')).map(({ id }) => id);
  // The old one goes with what is written after it, too.
  await eventually(PATIENCE_MS, async () => expect(await left()).toContain(ID));
  // The start waits for none of it.
  expect(ahead.store.onApplicationBootstrap()).toBeUndefined();
  await eventually(PATIENCE_MS, async () => expect(await left()).toEqual([ID]));
});

it('deletes in slices, and no more than it must, however many do it at once', async () => {
  const room = { changed: { RESPONSE_MAX_BYTES: 2000 * 10 } };
  const [one, other] = [await node(room), await node(room)];
  await one.database.query(
    `INSERT INTO responses (id, owner, created_at, status, bytes, body, input)
     SELECT 'r' || at, 'ann', $1::bigint + at, 'completed', 10, '{}', '[]' FROM generate_series(1, 8000) AS at`,
    [Date.now()],
  );
  await one.database.query(
    `INSERT INTO response_runs (id, node, until) VALUES ('r1', 'n', now() + interval '1 hour')`,
  );
  [one, other].forEach(({ store }) => store.onApplicationBootstrap());
  // One that is made, and as many of the latest as have room beside it.
  await eventually(PATIENCE_MS, async () => {
    const left = await one.database.query<{ id: string }>('SELECT id FROM responses ORDER BY seq');
    expect(left.map(({ id }) => id)).toEqual([
      'r1',
      ...Array.from({ length: 1999 }, (_, at) => `r${6002 + at}`),
    ]);
  });
});

describe('PgResponseStore without its database', () => {
  it('answers in bounded time, finds what it could not store, and stores it later', async () => {
    const one = await node({ url: proxy.url });
    const other = await node();
    await other.store.put({ ...over, id: 'resp_0' });
    await eventually(PATIENCE_MS, async () =>
      expect(await storedTexts(one.store, { ...key, id: 'resp_0' })).toBeDefined(),
    );
    proxy.freeze();
    await one.store.put(over);
    expect(await storedTexts(one.store, key)).toEqual(textsOf(over));
    expect(await one.store.chain({ ...key, maxLength: Number.MAX_SAFE_INTEGER })).toHaveLength(1);
    const refused = { code: 'internal_error', reason: 'database_away' };
    await expect(storedTexts(one.store, { ...key, id: 'resp_0' })).rejects.toMatchObject(refused);
    await expect(one.store.put({ ...running, id: 'resp_3' })).rejects.toMatchObject(refused);
    proxy.thaw();
    await eventually(PATIENCE_MS, async () =>
      expect(await storedTexts(other.store, key)).toEqual(textsOf(over)),
    );
  });
});
