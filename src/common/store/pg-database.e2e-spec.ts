import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DatabaseProxy } from '../../../test/support/postgres/database-proxy.js';
import {
  administer,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { processPace } from '../../../test/support/watch/machine-pace.js';
import { InternalError } from '../errors/gateway.errors.js';
import { isDatabaseAway } from './database-away.js';
import { endClient, pgClient } from './pg-client.js';
import { PgDatabase } from './pg-database.js';
import { PG_MIGRATIONS } from './pg-migrations.js';
import { sealContext, SETTINGS_PLACE } from './resealing.js';
import { type SecretBox } from './secret-box.js';
import { openSharedSecretBox } from './shared-secret-key.js';
import { StoreError } from './store.error.js';

let database: TestDatabase;
let opened: PgDatabase[];

beforeEach(async () => {
  database = await createTestDatabase();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await database.drop();
});

async function open(): Promise<PgDatabase> {
  const one = await PgDatabase.open(database.url);
  opened.push(one);
  return one;
}

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

describe('PgDatabase', () => {
  it('lets nodes that start together migrate once', async () => {
    const [first] = await Promise.all([open(), open(), open()]);
    expect(await first?.query('SELECT version FROM schema_version')).toEqual([
      { version: PG_MIGRATIONS.length },
    ]);
  });

  it.each(['repeatable read', 'serializable'])(
    'lets nodes start together and change the same rows where the default is %s',
    async (isolation) => {
      await administer(
        database.url,
        `ALTER DATABASE ${nameOf(database)} SET default_transaction_isolation = '${isolation}'`,
      );
      const nodes = await Promise.all([open(), open(), open()]);
      await Promise.all(nodes.map((node) => openSharedSecretBox(node, { SECRET_KEY: 'one secret' })));
      const sql = 'UPDATE meta SET accounts_version = accounts_version + 1';
      const changes = nodes.flatMap((node) => [
        node.query(sql),
        node.queryReserved(sql, [], PATIENCE_MS),
        node.transaction((query) => query(sql)),
      ]);
      await Promise.all(changes);
      expect(await nodes[0].query('SELECT accounts_version AS version FROM meta')).toEqual([
        { version: changes.length },
      ]);
    },
  );

  it('gives 64-bit integers as numbers, and keeps parameters apart from the statement', async () => {
    const one = await open();
    expect(await one.query('SELECT $1::bigint AS term, $2::text AS name', [1.7e15, "'; DROP"])).toEqual([
      { term: 1.7e15, name: "'; DROP" },
    ]);
  });

  it('has the server look within a minute whether it is still there, and compile nothing', async () => {
    const one = await open();
    expect(await one.query('SHOW jit')).toEqual([{ jit: 'off' }]);
    const sql = `SELECT current_setting('tcp_keepalives_idle')::integer +
      current_setting('tcp_keepalives_interval')::integer * current_setting('tcp_keepalives_count')::integer AS seconds`;
    expect([await one.query(sql), await one.queryReserved(sql, [], PATIENCE_MS)]).toEqual([
      [{ seconds: 60 }],
      [{ seconds: 60 }],
    ]);
  });

  it('runs on a schema that is one step ahead, and refuses one that is two', async () => {
    const one = await open();
    await one.query('UPDATE schema_version SET version = version + 1');
    await expect(open()).resolves.toBeInstanceOf(PgDatabase);
    await one.query('UPDATE schema_version SET version = version + 1');
    await expect(open()).rejects.toThrow(/changed by a newer release/);
    expect(await one.query('SELECT version FROM schema_version')).toEqual([
      { version: PG_MIGRATIONS.length + 2 },
    ]);
  });

  it('does not wait for long to change a table that is in use, and is to try again', async () => {
    const one = await open();
    const latestOfAccounts = PG_MIGRATIONS.findLastIndex((step) => step.includes('ALTER TABLE accounts'));
    await one.query('UPDATE schema_version SET version = $1', [latestOfAccounts]);
    await one.transaction(async (query) => {
      await query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
      const failure: unknown = await PgDatabase.open(database.url).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreError);
      expect((failure as Error).message).toMatch(/lock timeout.*pg_dump/);
      expect(isDatabaseAway(failure)).toBe(true);
    });
    await expect(open()).resolves.toBeInstanceOf(PgDatabase);
  });

  it('gives a step of the schema more time than other statements', async () => {
    const steps = PG_MIGRATIONS as string[];
    steps.push('SELECT pg_sleep(5.5)');
    try {
      const one = await open();
      expect(await one.query('SELECT version FROM schema_version')).toEqual([{ version: steps.length }]);
    } finally {
      steps.pop();
    }
  });

  it('rolls back work that fails, and serves on', async () => {
    const one = await open();
    const failing = one.transaction(async (query) => {
      await query(`UPDATE meta SET timeline = 'changed'`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await one.query('SELECT timeline = server_timeline() AS same FROM meta')).toEqual([
      { same: true },
    ]);
  });

  it('gives up a statement that takes too long, and serves on', async () => {
    const one = await open();
    await expect(one.queryReserved('SELECT pg_sleep(60)', [], 50)).rejects.toThrow(/timeout/);
    expect(await one.queryReserved('SELECT 1 AS one', [], PATIENCE_MS)).toEqual([{ one: 1 }]);
  });

  it('tells who asks for something while the server takes nothing why that is', async () => {
    const one = await open();
    await one.query(`SELECT set_config('default_transaction_read_only', 'on', false)`);
    const message = 'Internal server error: the shared database cannot be reached or used at present.';
    const away = { code: 'internal_error', reason: 'database_away', message };
    await expect(one.query('DELETE FROM nodes')).rejects.toMatchObject(away);
    const readOnly = one.transaction(async (query) => {
      await query('SET TRANSACTION READ ONLY');
      await query('DELETE FROM nodes');
    });
    await expect(readOnly).rejects.toMatchObject(away);
    await expect(one.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
  });

  it('waits for what cannot be used within the start, and not once the gateway is built', async () => {
    const other = await open();
    const one = await PgDatabase.open(database.url, () => true);
    opened.push(one);
    const told = Promise.withResolvers<void>();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => told.resolve());
    const read = () =>
      one.transaction(async (query) => {
        await query(`SET LOCAL lock_timeout = '10ms'`);
        return query('SELECT id FROM meta');
      });
    const locked = (work: () => Promise<unknown>) =>
      other.transaction(async (query) => {
        await query('LOCK TABLE meta IN ACCESS EXCLUSIVE MODE');
        await work();
      });
    try {
      let waiting: Promise<unknown> = Promise.resolve();
      await locked(() => Promise.race([told.promise, (waiting = read())]));
      expect(await waiting).toEqual([{ id: 1 }]);
      one.onApplicationBootstrap();
      await locked(() => expect(read()).rejects.toMatchObject({ reason: 'database_away' }));
    } finally {
      warned.mockRestore();
    }
  });

  it('takes a login that is refused later on for an outage, and serves on after it', async () => {
    const role = `gateway_${process.pid}`;
    const owner = await open();
    const { username } = new URL(database.url);
    const url = new URL(database.url);
    url.username = role;
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x' IN ROLE ${username}`);
    url.password = 'x';
    try {
      const one = await PgDatabase.open(url.href);
      opened.push(one);
      await owner.query(`ALTER ROLE ${role} NOLOGIN`);
      await owner.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1', [
        role,
      ]);
      const refused = async (): Promise<unknown> => {
        const error: unknown = await one.query('SELECT 1').catch((failure: unknown) => failure);
        return error instanceof InternalError
          ? [error.reason, (error.cause as { code?: string }).code]
          : error;
      };
      // The first may meet a connection that has not been told yet.
      await eventually(PATIENCE_MS, async () => expect(await refused()).toEqual(['database_away', '28000']));
      await owner.query(`ALTER ROLE ${role} LOGIN`);
      expect(await one.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await one.close();
    } finally {
      await owner.query(`DROP ROLE ${role}`);
    }
  });

  it('has a connection left for what says that the node lives', async () => {
    const one = await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = [1, 2, 3, 4].map(() => one.transaction(() => promise));
    expect(await one.queryReserved('SELECT 1 AS one', [], PATIENCE_MS)).toEqual([{ one: 1 }]);
    resolve();
    await Promise.all(others);
  });

  it('says which host cannot be reached, without the password', async () => {
    const failure: unknown = await PgDatabase.open('postgres://me:hush@127.0.0.1:1/none').catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreError);
    expect((failure as Error).message).toMatch(/^The database at 127\.0\.0\.1:1 \(DATABASE_URL\) cannot/);
    expect(JSON.stringify([failure, (failure as Error).message])).not.toContain('hush');
  });
});

it('says which settings of PgBouncer let it through', async () => {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(body.length + 4, 1);
  const pooler = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, body]))));
  await once(pooler.listen(0, '127.0.0.1'), 'listening');
  const { port } = pooler.address() as AddressInfo;
  const failure: unknown = await PgDatabase.open(`postgres://me@127.0.0.1:${port}/none`).catch(
    (error: unknown) => error,
  );
  pooler.close();
  expect(failure).toBeInstanceOf(StoreError);
  expect((failure as Error).message).toMatch(
    /statement_timeout.*ignore_startup_parameters.*docs\/cluster\.md/,
  );
});

describe('the timeline of a server', () => {
  /** The function as it was before it told of restored dumps. */
  const EARLIER = `CREATE OR REPLACE FUNCTION server_timeline() RETURNS text LANGUAGE sql VOLATILE AS
    $$ SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) $$`;
  const UPGRADE = PG_MIGRATIONS.find((step) =>
    step.includes('UPDATE meta SET timeline = server_timeline() ||'),
  )!;
  const state = async (one: PgDatabase) =>
    one.query('SELECT timeline = server_timeline() AS "isSame", opened_at::text AS "openedAt" FROM meta');

  it('is another one after a dump was restored on the same server', async () => {
    const one = await open();
    expect(await state(one)).toMatchObject([{ isSame: true }]);
    await one.query(
      `ALTER TABLE meta RENAME TO dumped; CREATE TABLE meta (LIKE dumped INCLUDING ALL);
       INSERT INTO meta SELECT * FROM dumped; DROP TABLE dumped`,
    );
    expect(await state(one)).toMatchObject([{ isSame: false }]);
  });

  it.each([
    ['goes on', 'server_timeline()', true],
    ['is noticed to be another one', "'another'", false],
  ])('%s over the upgrade that tells of restored dumps', async (_, timeline, isSame) => {
    const one = await open();
    await one.query(`${EARLIER}; UPDATE meta SET timeline = ${timeline}`);
    const [before] = await state(one);
    await one.query(UPGRADE);
    expect(await state(one)).toEqual([{ ...before, isSame }]);
  });
});

describe('openSharedSecretBox', () => {
  it('gives all nodes that start together the same key', async () => {
    const nodes = await Promise.all([open(), open(), open()]);
    const boxes = await Promise.all(
      nodes.map((node) => openSharedSecretBox(node, { SECRET_KEY: 'one secret' })),
    );
    const sealed = boxes[0]!.seal('password', 'here');
    expect(boxes.map((box) => box.openText(sealed, 'here'))).toEqual(Array(3).fill('password'));
  });

  it('refuses another key', async () => {
    const one = await open();
    await openSharedSecretBox(one, { SECRET_KEY: 'one secret' });
    await expect(openSharedSecretBox(one, { SECRET_KEY: 'another' })).rejects.toThrow(
      'SECRET_KEY does not fit the store: its secrets were encrypted with another key. Start with the key of before ' +
        '(SECRET_KEY, or the key file where none was set), or use another database.',
    );
  });

  describe('with the key of before beside another one', () => {
    const KEYS = { SECRET_KEY: 'another', SECRET_KEY_PREVIOUS: 'one secret' };
    let one: PgDatabase;
    let before: SecretBox;

    beforeEach(async () => {
      one = await open();
      before = await openSharedSecretBox(one, { SECRET_KEY: 'one secret' });
      const sealed = ['credentials', 'driver_state', 'screenshot'] as const;
      await one.query(
        `INSERT INTO accounts (id, provider, name, source, credentials, driver_state, login_screenshot, created_at)
         VALUES ('7', 'site', 'ann', 'operator', $1, $2, $3, 0)`,
        sealed.map((part) => before.seal(part, sealContext('7', part))),
      );
      await one.query('UPDATE shared_settings SET sealed = $1', [before.seal('settings', SETTINGS_PLACE)]);
    });

    it('seals all of the store anew, once', async () => {
      await openSharedSecretBox(one, KEYS);
      const box = await openSharedSecretBox(one, KEYS);
      const [row] = await one.query<Record<string, Uint8Array>>(
        'SELECT credentials, driver_state, login_screenshot AS screenshot, sealed FROM accounts, shared_settings',
      );
      const { sealed, ...parts } = row!;
      for (const [part, value] of Object.entries(parts)) {
        expect(box.openText(value, sealContext('7', part as 'credentials'))).toBe(part);
      }
      expect(box.openText(sealed!, SETTINGS_PLACE)).toBe('settings');
      await expect(openSharedSecretBox(one, { SECRET_KEY: 'one secret' })).rejects.toThrow(/does not fit/);
    });

    it('waits until no gateway runs with that', async () => {
      await one.query(`INSERT INTO nodes VALUES ('other', 'site', '1', clock_timestamp())`);
      await expect(openSharedSecretBox(one, KEYS)).rejects.toMatchObject({
        name: 'StoreError',
        passes: true,
      });
      await one.query(`UPDATE nodes SET seen_at = seen_at - interval '61 seconds'`);
      await openSharedSecretBox(one, KEYS);
    });

    it('refuses one that is neither', async () => {
      const keys = { ...KEYS, SECRET_KEY_PREVIOUS: 'a third' };
      await expect(openSharedSecretBox(one, keys)).rejects.toThrow(
        /^SECRET_KEY_PREVIOUS does not fit the store/,
      );
    });
  });
});

describe('endClient', () => {
  it('ends a connection, also one whose server hangs', async () => {
    const proxy = await DatabaseProxy.start(database.url);
    const clients = [1, 2].map(() => new (pgClient().Client)({ connectionString: proxy.url }));
    try {
      await Promise.all(clients.map((client) => client.connect()));
      await endClient(clients[0]!);
      proxy.freeze();
      const began = performance.now();
      await endClient(clients[1]!);
      await processPace.expectWithin(performance.now() - began, 700);
      expect(clients.map(({ connection }) => connection.stream.destroyed)).toEqual([true, true]);
    } finally {
      await proxy.close();
    }
  });
});
