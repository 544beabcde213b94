import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { shortLeaseMs } from '../../test/support/gateway/cluster-rig.js';
import { createUsedDatabase, type TestDatabase } from '../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { processPace } from '../../test/support/watch/machine-pace.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { SystemClock } from '../common/time/clock.js';
import { NodeReport } from './node-report.js';
import { PgTenures } from './pg-tenures.js';
import { SharedChanges } from './shared-changes.js';
import { type Tenure } from './tenures.js';

const PROVIDER = 'sandbox';

/** One node as its accounts' side sees it. */
interface TestNode {
  readonly tenures: PgTenures;
  readonly events: string[];
  /** Accounts whose sessions requests use. */
  readonly busy: Set<string>;
  /** Accounts that are being logged in. */
  readonly loggingIn: Set<string>;
  refreshes: number;
  /** Accounts for which requests wait. */
  demand: number;
  /** Accounts that would serve none of them. */
  unfit: string[];
  of(account: string): Tenure;
  /** Names of the accounts that it may use. */
  held(): string[];
}

let database: TestDatabase;
let admin: PgDatabase;
let opened: PgDatabase[];
let nodes: TestNode[];
let leaseMs: number;

beforeEach(async () => {
  leaseMs = await shortLeaseMs();
  Logger.overrideLogger(false);
  database = await createUsedDatabase();
  opened = [];
  nodes = [];
  admin = await open();
});

afterEach(async () => {
  await Promise.all(nodes.map(({ tenures }) => tenures.onApplicationShutdown()));
  await Promise.all(opened.map((one) => one.close()));
  await database.drop();
});

async function open(): Promise<PgDatabase> {
  const one = await PgDatabase.open(database.url);
  opened.push(one);
  return one;
}

async function addAccounts(...ids: readonly string[]): Promise<void> {
  await admin.query(
    `INSERT INTO accounts (id, provider, name, source, credentials, created_at)
     SELECT id, $2, id, 'operator', '', 0 FROM unnest($1::text[]) AS id`,
    [ids, PROVIDER],
  );
  await admin.query('INSERT INTO tenures (account, share) SELECT unnest($1::text[]), 0', [ids]);
  await admin.query('SELECT accounts_changed()');
}

const ALL = ['a', 'b', 'c', 'd'];

async function start(): Promise<TestNode> {
  const chance = () => 0.5;
  const changes = new SharedChanges(undefined, chance);
  const tenures = new PgTenures(await open(), new SystemClock(), leaseMs, chance, new NodeReport(), changes);
  const of = new Map(ALL.map((id) => [id, tenures.of(id, 1)]));
  const node: TestNode = {
    tenures,
    events: [],
    busy: new Set(),
    loggingIn: new Set(),
    refreshes: 0,
    demand: 0,
    unfit: [],
    of: (account) => of.get(account)!,
    held: () => ALL.filter((id) => of.get(id)!.isHeld),
  };
  tenures.changes$.subscribe(({ accountId, kind }) => node.events.push(`${accountId} ${kind}`));
  tenures.serve({
    provider: PROVIDER,
    refresh: async () => void (node.refreshes += 1),
    isWithinPart: (account) => !node.busy.has(account),
    sessionsNeeded: (account) => (node.busy.has(account) ? 1 : 0),
    isLoggingIn: (account) => node.loggingIn.has(account),
    canServe: () => true,
    sessionLimit: 1,
    get demand() {
      return { shares: node.demand, probes: [] };
    },
    get unfit() {
      return node.unfit;
    },
    outlookChanged: () => undefined,
  });
  tenures.onApplicationBootstrap();
  nodes.push(node);
  return node;
}

const soon = (check: () => void | Promise<void>) => eventually(PATIENCE_MS, check);

describe('PgTenures', () => {
  it('renews its accounts while other statements hold all connections', async () => {
    await addAccounts('a');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = [1, 2, 3].map(() => opened.at(-1)!.transaction(() => promise));
    const until = async (): Promise<string> => {
      const [row] = await admin.query<{ until: string }>('SELECT until::text FROM tenures');
      return row!.until;
    };
    // The first of them may have been on its way before.
    for (let beats = 0; beats < 2; beats++) {
      const before = await until();
      await soon(async () => expect((await until()) > before).toBe(true));
    }
    resolve();
    await Promise.all(others);
    expect(one.events).toEqual(['a granted']);
  });

  it('takes all accounts alone, after their state was read, and shares them with a second node', async () => {
    await addAccounts('a', 'b', 'c');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a', 'b', 'c']));
    expect(one.refreshes).toBeGreaterThan(0);
    const other = await start();
    // Usually the second gets one; it keeps two where the first stood still for longer than its lease.
    await soon(() => {
      expect([one.held().length, other.held().length].sort()).toEqual([1, 2]);
      expect([...one.held(), ...other.held()].sort()).toEqual(['a', 'b', 'c']);
    });
    for (const moved of other.held()) {
      expect(one.events).toContain(`${moved} ended`);
      expect(other.events).toContain(`${moved} granted`);
      expect(other.of(moved).writeTerm).toBeGreaterThan(one.of(moved).writeTerm);
    }
  });

  it('keeps an account until its last session is closed', async () => {
    await addAccounts('a', 'b');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
    one.busy.add('a').add('b');
    const fence = one.of('b').nextFence();
    const other = await start();
    await soon(() => expect(one.held()).toHaveLength(1));
    const leaving = ALL.slice(0, 2).find((id) => !one.held().includes(id))!;
    // It is asked for in vain by several beats.
    const beats = other.refreshes;
    await admin.query('SELECT accounts_changed()');
    await soon(() => expect(other.refreshes).toBeGreaterThan(beats));
    expect(other.held()).toEqual([]);
    expect(one.of('b').honours(fence)).toBe(true);
    one.busy.clear();
    one.of('b').arrived(fence);
    await soon(() => expect(other.held()).toEqual([leaving]));
    expect(one.of(leaving).isHeld).toBe(false);
  });

  it('keeps what is being logged in, although it has more than its part', async () => {
    await addAccounts('a', 'b');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
    one.loggingIn.add('a').add('b');
    const other = await start();
    await soon(async () =>
      expect(await admin.query('SELECT wanted_by FROM tenures')).toContainEqual({
        wanted_by: other.tenures.nodeId,
      }),
    );
    // It has had an answer that says so.
    const enough = one.refreshes + 2;
    while (one.refreshes < enough) {
      const before = one.refreshes;
      await admin.query('SELECT accounts_changed()');
      await soon(() => expect(one.refreshes).toBeGreaterThan(before));
    }
    expect([one.held(), one.events]).toEqual([
      ['a', 'b'],
      ['a granted', 'b granted'],
    ]);
    one.loggingIn.clear();
    await soon(() => expect([one.held(), other.held()].map(({ length }) => length)).toEqual([1, 1]));
  });

  it('gives each of three nodes one of four accounts', async () => {
    await addAccounts(...ALL);
    const one = await start();
    await soon(() => expect(one.held()).toEqual(ALL));
    const others = [await start(), await start()];
    const counts = () => [one, ...others].map((node) => node.held().length).sort();
    await soon(() => expect(counts()).toEqual([1, 1, 2]));
    // Each knows the others, and one speaks for what nobody holds.
    await soon(() => {
      expect(nodes.map(({ tenures }) => tenures.nodes)).toEqual([3, 3, 3]);
      expect(nodes.filter((node) => node.of('a').reportsUnheld)).toHaveLength(1);
    });
  });

  it('lends what is at rest to a node whose requests wait, and asks for it back when its own wait', async () => {
    await addAccounts(...ALL);
    const [one, other] = [await start(), await start()];
    await soon(() => expect([one.held().length, other.held().length]).toEqual([2, 2]));
    one.held().forEach((account) => one.busy.add(account));
    one.demand = 2;
    one.tenures.look();
    // The last one is not lent to a node that has others.
    await soon(() => expect([one.held().length, other.held().length]).toEqual([3, 1]));
    one.demand = 0;
    ALL.forEach((account) => one.busy.add(account));
    const refreshes = other.refreshes;
    await admin.query('SELECT accounts_changed()');
    await soon(() => expect(other.refreshes).toBeGreaterThan(refreshes));
    // Both are content.
    expect([one.held().length, other.held().length]).toEqual([3, 1]);
    other.demand = 1;
    other.tenures.look();
    await soon(() => expect(one.held()).toHaveLength(2));
    one.busy.clear();
    one.tenures.look();
    await soon(() => expect(other.held()).toHaveLength(2));
  });

  it('takes an account by name from a node that uses it no more, and keeps it while others ask', async () => {
    await addAccounts('a', 'b');
    const [one, other] = [await start(), await start()];
    await soon(() => expect([one.held().length, other.held().length]).toEqual([1, 1]));
    const [wanted] = other.held();
    other.busy.add(wanted!);
    const giveUp = one.tenures.want(wanted!);
    await soon(async () =>
      expect(await admin.query('SELECT account FROM tenures WHERE wanted_by IS NOT NULL')).toEqual([
        { account: wanted },
      ]),
    );
    expect(other.held()).toEqual([wanted]);
    other.busy.clear();
    other.tenures.look();
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
    other.demand = 2;
    other.tenures.look();
    await soon(() => expect(other.held()).toHaveLength(1));
    expect(one.held()).toEqual([wanted]);
    const isSpare = () => admin.query('SELECT is_spare FROM tenures WHERE account = $1', [wanted]);
    expect(await isSpare()).toEqual([{ is_spare: false }]);
    giveUp();
    await soon(async () => expect(await isSpare()).toEqual([{ is_spare: true }]));
  });

  it('lends its last account to a node whose own cannot serve, for which it is given that one', async () => {
    await addAccounts('a', 'b');
    const [one, other] = [await start(), await start()];
    await soon(() => expect([one.held().length, other.held().length]).toEqual([1, 1]));
    const [[limited], [last]] = [one.held(), other.held()];
    one.busy.add(last!);
    one.unfit = [limited!];
    one.demand = 1;
    one.tenures.look();
    await soon(() => expect(one.held()).toContain(last));
    one.demand = 0;
    await soon(() => expect([one.held(), other.held()]).toEqual([[last], [limited]]));
  });

  it('asks for none that would not serve its requests', async () => {
    await addAccounts(...ALL);
    const [one, other] = [await start(), await start()];
    await soon(() => expect([one.held().length, other.held().length]).toEqual([2, 2]));
    one.held().forEach((account) => one.busy.add(account));
    const [limited, fit] = other.held();
    one.unfit = [limited!];
    one.demand = 2;
    one.tenures.look();
    await soon(() => expect(one.held()).toContain(fit));
    expect(other.held()).toEqual([limited]);
  });

  it('lends its last account to a node that has none', async () => {
    await addAccounts('a');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    const other = await start();
    await soon(() => expect(other.of('a').mayCome).toBe(true));
    other.demand = 1;
    await soon(() => expect(other.held()).toEqual(['a']));
    expect([one.held(), one.of('a').mayCome, other.of('a').mayCome]).toEqual([[], true, false]);
  });

  it('takes over what a node that was lost had, as soon as its time is over', async () => {
    await addAccounts('a', 'b');
    await admin.query(`INSERT INTO nodes VALUES ('lost', $1, '0', clock_timestamp(), false)`, [PROVIDER]);
    const lastBeat = performance.now();
    await admin.query(
      `UPDATE tenures SET node = 'lost', term = 1, until = clock_timestamp() + $1 * interval '1 ms'`,
      [leaseMs],
    );
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
    await processPace.expectWithin(performance.now() - lastBeat - leaseMs, 300);
  });

  it('gives up what comes to rest while it drains, at once, and keeps what is in use', async () => {
    await addAccounts(...ALL);
    const [one, other] = [await start(), await start()];
    await soon(() => expect([one.held().length, other.held().length]).toEqual([2, 2]));
    const [busy] = one.held();
    one.busy.add(busy!);
    one.tenures.onModuleDestroy();
    await soon(() => expect([one.held().length, other.held().length]).toEqual([1, 3]));
    expect(one.of(busy!).isHeld).toBe(true);
    one.busy.clear();
    const restingSince = performance.now();
    one.tenures.look();
    await soon(() => expect(other.held()).toEqual(ALL));
    await processPace.expectWithin(performance.now() - restingSince, 300);
  });

  it('takes no account that is disabled, and hears of a change at once', async () => {
    await addAccounts('a', 'b');
    await admin.query(`UPDATE accounts SET is_enabled = false WHERE id = 'b'`);
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    await admin.query(`UPDATE accounts SET is_enabled = true WHERE id = 'b'`);
    await admin.query('SELECT accounts_changed()');
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
  });

  it('gives up an account that is disabled, which counts for nobody then', async () => {
    await addAccounts('a', 'b');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
    await admin.query(`UPDATE accounts SET is_enabled = false WHERE id = 'a'`);
    await admin.query('SELECT accounts_changed()');
    await soon(() => expect(one.events).toContain('a ended'));
    const refreshes = one.refreshes;
    await admin.query('SELECT accounts_changed()');
    await soon(() => expect(one.refreshes).toBeGreaterThan(refreshes));
    expect(one.held()).toEqual(['b']);
    await soon(async () =>
      expect(await admin.query('SELECT account FROM tenures WHERE node IS NULL')).toEqual([{ account: 'a' }]),
    );
    await admin.query(`UPDATE accounts SET is_enabled = true WHERE id = 'a'`);
    await admin.query('SELECT accounts_changed()');
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
  });

  it('gives everything up when it stops', async () => {
    await addAccounts('a');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    nodes.splice(0);
    await one.tenures.onApplicationShutdown();
    expect(await admin.query('SELECT node, until FROM tenures')).toEqual([{ node: null, until: null }]);
    expect(await admin.query('SELECT id FROM nodes')).toEqual([]);
  });

  it('grants nothing on another server until all that the earlier one granted has ended', async () => {
    await addAccounts('a');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    await admin.query(`UPDATE meta SET timeline = 'another'`);
    await addAccounts('b');
    await soon(() => expect(one.refreshes).toBeGreaterThan(1));
    // What the new server still knows is renewed.
    expect(one.held()).toEqual(['a']);
    await soon(() => expect(one.held()).toEqual(['a', 'b']));
    const [waited] = await admin.query<{ ms: number }>(
      `SELECT (extract(epoch FROM clock_timestamp() - opened_at) * 1000)::float8 AS ms FROM meta`,
    );
    expect(waited!.ms).toBeGreaterThan(leaseMs);
  });

  it('finds on another server what is new there, though its version was that of a change that was lost', async () => {
    const one = await start();
    await soon(() => expect(one.refreshes).toBeGreaterThan(0));
    const versions = () =>
      admin.query<{ version: number }>(
        'SELECT accounts_version AS version FROM meta UNION ALL SELECT version FROM shared_versions',
      );
    const known = (await versions()).map(({ version }) => version);
    const refreshes = one.refreshes;
    await admin.query(`UPDATE meta SET timeline = 'another'`);
    await soon(() => expect(one.refreshes).toBeGreaterThan(refreshes));
    expect(Math.min(...(await versions()).map(({ version }) => version))).toBeGreaterThan(
      Math.max(...known) + 1000,
    );
  });

  it('takes nothing back that it gave up, from a standby that has not heard of it', async () => {
    await addAccounts('a');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    const [before] = await admin.query<{ node: string; term: string }>('SELECT node, term FROM tenures');
    const other = await start();
    other.tenures.want('a');
    await soon(() => expect(other.held()).toEqual(['a']));
    const fences: (string | undefined)[] = [];
    one.tenures.changes$.subscribe(({ kind }) => {
      if (kind === 'granted') {
        fences.push(one.of('a').nextFence());
        one.of('a').arrived(fences.at(-1));
      }
    });
    await admin.transaction(async (query) => {
      await query(
        `UPDATE tenures SET node = $1, term = $2, until = clock_timestamp() + $3 * interval '1 ms', wanted_by = NULL`,
        [before!.node, before!.term, leaseMs],
      );
      await query(`UPDATE meta SET timeline = 'another'`);
    });
    await soon(() => expect(other.events).toEqual(['a granted', 'a ended', 'a granted']));
    // It may have been the first to take it anew, once all that was granted had ended.
    expect(fences).not.toContain(`0/${before!.term}`);
  });

  it('never takes a lower term, even over a store that lost its terms', async () => {
    await addAccounts('a');
    const one = await start();
    await soon(() => expect(one.held()).toEqual(['a']));
    const before = one.of('a').writeTerm;
    await admin.query('UPDATE tenures SET node = NULL, term = 0');
    await soon(() => expect(one.events).toEqual(['a granted', 'a ended', 'a granted']));
    expect(one.of('a').writeTerm).toBeGreaterThan(before);
  });
});
