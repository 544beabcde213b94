import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { ADVISORY_LOCKS } from '../../common/store/advisory-locks.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { ensureDays } from './log-days.js';
import { SharedConnection } from './shared-connection.js';

let database: TestDatabase;
let admin: pg.Client;
let connections: SharedConnection[];

beforeEach(async () => {
  database = await createTestDatabase();
  await (await PgDatabase.open(database.url)).close();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  connections = [new SharedConnection(database.url), new SharedConnection(database.url)];
});
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.end()));
  await admin.end();
  await database.drop();
});

it('makes the table of a day once, with its indexes, while a dump reads the others', async () => {
  await Promise.all(connections.map((connection, index) => ensureDays(connection, new Set([100 + index]))));
  await admin.query('BEGIN');
  await admin.query('LOCK TABLE log_records, log_records_100, log_records_101 IN ACCESS SHARE MODE');
  await admin.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.logDays]);
  const both = Promise.all(connections.map((connection) => ensureDays(connection, new Set([102]))));
  // Both have found that there is no such table.
  await eventually(PATIENCE_MS, async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
    );
    expect(rowCount).toBe(2);
  });
  await admin.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.logDays]);
  await both;
  await admin.query('COMMIT');
  const { rows } = await admin.query(
    `SELECT of_day.inhrelid::regclass::text AS name, count(*)::integer AS indexes
     FROM pg_inherits AS of_day JOIN pg_index ON indrelid = of_day.inhrelid JOIN pg_inherits AS of_index
       ON of_index.inhrelid = indexrelid
     WHERE of_day.inhparent = 'log_records'::regclass GROUP BY 1 ORDER BY 1`,
  );
  const all = await admin.query(`SELECT FROM pg_index WHERE indrelid = 'log_records'::regclass`);
  const indexes = all.rowCount;
  expect(rows).toEqual([
    { name: 'log_records_100', indexes },
    { name: 'log_records_101', indexes },
    { name: 'log_records_102', indexes },
  ]);
});
