import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { numberTypes } from '../../common/store/pg-client.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { ensureDays } from './log-days.js';
import { settleRestored } from './restored-feed.js';
import { SharedConnection } from './shared-connection.js';

/** Records by day. */
const RECORDS = new Map([
  [100, 7000],
  [101, 1000],
]);
const MAX_SLICE = 5000;

let database: TestDatabase;
let admin: pg.Client;
let connection: SharedConnection;

beforeEach(async () => {
  database = await createTestDatabase();
  await (await PgDatabase.open(database.url)).close();
  admin = new pg.Client({ connectionString: database.url, types: numberTypes() });
  await admin.connect();
  connection = new SharedConnection(database.url);
  await ensureDays(connection, new Set(RECORDS.keys()));
  // As a dump of a server that has counted further.
  await admin.query(
    `INSERT INTO log_records (day, node, seq, changed, kind, id, started_at, outcome, is_completion, is_stranger,
       prompt_tokens, completion_tokens, bytes, brief, feed)
     SELECT day, 'n', day * 86400000000 + at, 1, 'request', day || ' ' || at, 0, 'ok', 1, 0, 0, 0, 0, '{}',
       (2 ^ 50)::bigint + at
     FROM unnest($1::bigint[], $2::bigint[]) AS days (day, records), generate_series(1, records) AS at`,
    [[...RECORDS.keys()], [...RECORDS.values()]],
  );
});
afterEach(async () => {
  await connection.end();
  await admin.end();
  await database.drop();
});

/** Records that are still ahead, and the transactions that have written the others. */
async function state(): Promise<{ readonly ahead: number; readonly writers: readonly number[] }> {
  const { rows } = await admin.query<{ ahead: number }>(
    'SELECT count(*) AS ahead FROM log_records WHERE feed > 0',
  );
  const written = await admin.query<{ records: number }>(
    'SELECT count(*) AS records FROM log_records WHERE feed = 0 GROUP BY xmin ORDER BY 1',
  );
  return { ahead: rows[0]!.ahead, writers: written.rows.map(({ records }) => records) };
}

describe('settleRestored', () => {
  it('settles what a dump of another server holds, a slice in each transaction', async () => {
    await settleRestored(connection, { monotonic: () => 0 });
    const { ahead, writers } = await state();
    expect(ahead).toBe(0);
    expect(Math.max(...writers)).toBeLessThanOrEqual(MAX_SLICE);
  });

  it('goes on in the next maintenance run when its time is over', async () => {
    let now = 0;
    const slow = { monotonic: () => (now += 4000) };
    await settleRestored(connection, slow);
    const { ahead } = await state();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(8000);
    await settleRestored(connection, { monotonic: () => 0 });
    expect(await state()).toMatchObject({ ahead: 0 });
  });
});
