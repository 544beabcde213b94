import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { entry, stored } from '../../../test/support/gateway/log-records.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { SystemClock } from '../../common/time/clock.js';
import { encodeRecords } from '../outbox/encoded-records.js';
import { logDayOf } from '../records/log-day.js';
import { type LogRecord } from '../records/log-filter.js';
import { closeCrashed } from './crashed-nodes.js';
import { ensureDays, keepLimits } from './log-days.js';
import { RecordShipment } from './record-shipment.js';
import { SharedConnection } from './shared-connection.js';
import { SharedSearch } from './shared-search.js';

const today = logDayOf(stored(entry('r0')).seq);

let database: TestDatabase;
let admin: pg.Client;
let connection: SharedConnection;

beforeEach(async () => {
  database = await createTestDatabase();
  await (await PgDatabase.open(database.url)).close();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  connection = new SharedConnection(database.url);
  const records = Array.from({ length: 40 }, (_, at) => {
    const content = { messages: [{ role: 'user', content: randomBytes(7500).toString('base64') }] };
    const record = stored(entry(`r${at}`, { content: content as never }), at);
    return { ...record, bytes: 0, requestBody: null, responseBody: null };
  });
  await new RecordShipment(connection, 'dead').send({
    records: { days: [today], arrays: encodeRecords(records) },
    removed: [],
    last: 1,
    isLast: true,
    usage: { source: '', rows: [], numbers: [], isLast: true },
  });
});
afterEach(async () => {
  await connection.end();
  await admin.end();
  await database.drop();
});

const tables = async (): Promise<string[]> => {
  const found = await admin.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'log_records'::regclass ORDER BY 1`,
  );
  return found.rows.map(({ name }) => name);
};
const left = async (): Promise<string[]> => {
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM log_records ORDER BY seq');
  return rows.map(({ id }) => id);
};
const newest = (count: number): string[] => Array.from({ length: count }, (_, at) => `r${40 - count + at}`);
const pending = async (): Promise<string[]> => {
  const { rows } = await admin.query<{ id: string }>(
    "SELECT id FROM log_records WHERE outcome = 'pending' ORDER BY seq",
  );
  return rows.map(({ id }) => id);
};
/** JSON is parsed, since the order of its members is of no account. */
const parsed = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text);

describe('a shared log of large records', () => {
  it('closes records of a dead node without their texts, or few at once', async () => {
    const whole = JSON.stringify(entry('whole', { outcome: 'pending' }));
    await admin.query(`UPDATE log_records SET outcome = 'pending', bytes = ${2 ** 24}`);
    await admin.query(`UPDATE log_records SET texts = $1 WHERE id IN ('r3', 'r5')`, [whole]);
    await admin.query(`INSERT INTO log_nodes VALUES ('dead', now() - interval '1 hour'), ('one', now())`);
    const texts = async (): Promise<string[]> => {
      const { rows } = await admin.query<{ texts: string }>('SELECT texts FROM log_records ORDER BY seq');
      return rows.map((row) => row.texts);
    };
    const before = await texts();
    await closeCrashed(connection, 'one');
    expect(await pending()).toEqual(newest(35));
    await closeCrashed(connection, 'one');
    expect(await pending()).toEqual([]);
    const crashed = JSON.stringify({ ...entry('whole'), outcome: 'crashed' });
    expect((await texts()).map(parsed)).toEqual(
      before.map((text) => parsed(text === whole ? crashed : text)),
    );
  });

  it('tells a node of another one that lives under its name', async () => {
    const first = await closeCrashed(connection, 'one');
    const second = await closeCrashed(connection, 'one', first.notedAt);
    // As a node does that has just been started.
    const other = await closeCrashed(connection, 'one');
    const third = await closeCrashed(connection, 'one', second.notedAt);
    const isOthersToo = [first, second, other, third].map((note) => note.isOthersToo);
    expect(isOthersToo).toEqual([false, false, false, true]);
  });

  it('ends a search in large texts when its time is over, and goes on from there', async () => {
    await admin.query(`UPDATE log_records SET bytes = ${2 ** 24}`);
    let now = 0;
    const clock = Object.assign(new SystemClock(), { now: () => now, monotonic: () => (now += 150) });
    const search = new SharedSearch(connection, clock);
    const pages: string[][] = [];
    let reached: number | undefined;
    do {
      const before = reached === undefined ? {} : { before: String(reached) };
      const page = await search.page({ q: 'svc-max', ...before });
      pages.push(page.records.map(({ text }) => (JSON.parse(text) as LogRecord).id));
      reached = page.reached;
    } while (reached > 0);
    expect(pages).toEqual(Array.from({ length: 20 }, (_, at) => [`r${39 - 2 * at}`, `r${38 - 2 * at}`]));
  });

  it('drops old days, and of one that is too large the oldest records', async () => {
    // By the clock of the server, whatever those of the nodes are.
    const { rows } = await admin.query<{ day: number }>(
      'SELECT (extract(epoch FROM now()) / 86400)::integer AS day',
    );
    const day = rows[0]!.day;
    await ensureDays(connection, new Set([day - 9, day - 2]));
    await keepLimits(connection, { maxBytes: 2 ** 30, keepDays: 7 });
    expect(await tables()).toEqual([`log_records_${day - 2}`, `log_records_${today}`]);
    await keepLimits(connection, { maxBytes: 200_000, keepDays: 7 });
    expect(await tables()).toEqual([`log_records_${today}`]);
    // Down to 85 %, of some 10,900 bytes each.
    expect(await left()).toEqual(newest(15));
  });

  it('counts no space that deleted records have left, and deletes no more of an earlier day than it must', async () => {
    const limits = { maxBytes: 400_001, keepDays: 7 };
    await keepLimits(connection, limits);
    expect(await left()).toEqual(newest(31));
    // The table keeps its size.
    await ensureDays(connection, new Set([today + 1]));
    await keepLimits(connection, limits);
    expect(await left()).toEqual(newest(31));
    await admin.query(
      `INSERT INTO log_records SELECT (jsonb_populate_record(log_records, jsonb_build_object(
         'day', day + 1, 'seq', seq + 86400000000, 'id', 'next ' || id))).*
       FROM log_records ORDER BY seq LIMIT 10`,
    );
    await keepLimits(connection, limits);
    const after = await left();
    expect(after.slice(-10)).toEqual(Array.from({ length: 10 }, (_, at) => `next r${9 + at}`));
    expect(after.slice(0, -10)).toEqual(newest(21));
  });
});
