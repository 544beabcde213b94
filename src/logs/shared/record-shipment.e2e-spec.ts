import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { entry, exchange, NOON, stored } from '../../../test/support/gateway/log-records.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { numberTypes } from '../../common/store/pg-client.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { WorkerClient } from '../../common/threads/worker-client.js';
import { decodeRecords } from '../outbox/encoded-records.js';
import { Outbox } from '../outbox/outbox.js';
import { DAY_US, logDayOf } from '../records/log-day.js';
import { type StoredRecord } from '../records/stored-record.js';
import { openForWriting } from '../store/log-database.js';
import { RecordWriter } from '../store/record-writer.js';
import { RecordShipment } from './record-shipment.js';
import { SharedConnection } from './shared-connection.js';
import { sharedSeries } from './shared-series.js';

const LIMITS = { maxBytes: 2 ** 26, keepFrom: 0, now: 0 };
const COLUMNS = `seq, changed, kind, id, request_id, started_at, outcome, status, key_name, model, account, conversation,
  client, reason, is_completion, is_stranger, total_ms, first_token_ms, queued_ms, prompt_tokens, cached_tokens,
  completion_tokens, bytes, brief, texts, request_body, response_body`;

let database: TestDatabase;
let admin: pg.Client;
let connection: SharedConnection;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  await (await PgDatabase.open(database.url)).close();
  admin = new pg.Client({ connectionString: database.url, types: numberTypes() });
  await admin.connect();
  connection = new SharedConnection(database.url);
  folder = mkdtempSync(join(tmpdir(), 'record-shipment-'));
});
afterEach(async () => {
  await connection.end();
  await admin.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

interface Shipped {
  /** Rows of the file, and of the shared log. */
  readonly own: object[];
  readonly shared: object[];
  readonly rejected: number;
  /** Records of each batch. */
  readonly batches: readonly number[];
}

/** Where the records of a batch come from: the file, as after a restart, or memory. */
type Source = 'file' | 'memory';

/** Writes records to a new file, and ships them until its outbox is empty. */
async function ship(node: string, records: readonly StoredRecord[], from: Source): Promise<Shipped> {
  const file = openForWriting(join(folder, `${node}.db`));
  const written = new Outbox(file, node);
  new RecordWriter(file, written).write(
    records,
    LIMITS,
    () => undefined,
    (_, reason) => expect(reason).toBeUndefined(),
  );
  const outbox = from === 'memory' ? written : new Outbox(file, node);
  const shipment = new RecordShipment(connection, node);
  let rejected = 0;
  const batches: number[] = [];
  for (let isLast = false; !isLast;) {
    const batch = outbox.next(0);
    rejected += (await shipment.send(batch)).rejected;
    batches.push((batch.records ? decodeRecords(batch.records.arrays) : []).length);
    outbox.remove({ last: batch.last, usage: batch.usage.numbers });
    isLast = batch.isLast && batch.usage.isLast;
  }
  expect(outbox.next(0)).toMatchObject({ records: undefined, last: 0, isLast: true });
  const own = file.prepare(`SELECT ${COLUMNS} FROM records JOIN texts USING (seq) ORDER BY seq`).all();
  file.close();
  const { rows } = await admin.query<object>(
    `SELECT ${COLUMNS} FROM log_records WHERE node = $1 ORDER BY seq`,
    [node],
  );
  return { own: own.map((row) => ({ ...row })), shared: rows, rejected, batches };
}

const UNITS = ['a', '"', 'u', '0', '\0', '\n', '\ud83d', '\ude00', 'é'];
const text = fc.string({ unit: fc.constantFrom('\\', ...UNITS) });
/** Without a backslash: V8 of Node.js 24.21 can read the name `a\n` as `a\\` if it has read an object with that name before. */
const memberName = fc.string({ unit: fc.constantFrom(...UNITS) });
const count = fc.nat(2 ** 31 - 1);

/** Some of the members, in any combination. */
const some = <T>(members: { readonly [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const requests = some({
  outcome: fc.constantFrom('ok', 'pending', 'client_error', 'crashed'),
  status: fc.integer({ min: 100, max: 599 }),
  operation: fc.constant('completion'),
  isStranger: fc.constant(true),
  key: text,
  model: text,
  account: text,
  conversation: text,
  client: text,
  excerpt: text,
  totalMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  firstTokenMs: count,
  queuedMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  usage: fc.record({
    promptTokens: count,
    completionTokens: count,
    reasoningTokens: count,
    cachedTokens: count,
  }),
  error: fc.record({ code: text, reason: text, message: text }),
  content: fc.record({ messages: fc.constant([]), reasoning: text, answer: text }),
  parameters: fc.dictionary(memberName, text),
}).map((changes) => (id: string) => entry(id, changes as object));

const exchanges = some({
  requestId: text,
  account: text,
  status: fc.integer({ min: 100, max: 599 }),
  totalMs: count,
  error: text,
  requestBody: text,
  responseBody: text,
}).map((changes) => (id: string) => exchange(id, changes));

/** The row, or a value in it, with its JSON parsed, and without what PostgreSQL's texts cannot hold. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.toWellFormed().replaceAll('\0', '\ufffd');
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      storable(name),
      storable(name === 'brief' ? JSON.parse(String(member)) : member),
    ]),
  );
}

describe.each<Source>(['file', 'memory'])('the shipment of records from %s', (from) => {
  it('tells of each record in the shared log what its file does', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(requests, exchanges), { maxLength: 12 }), async (makers) => {
        const node = `node-${runs++}`;
        const records = makers.map((make, at) => stored(make(`r${at}`), at));
        const { own, shared, rejected } = await ship(node, records, from);
        expect(rejected).toBe(0);
        expect(shared.map(storable)).toEqual(own.map(storable));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves the JSON of a record as it stands in the file', async () => {
    const records = [entry('a', { excerpt: 'é "x" \\u0000 \n 𝄞', key: 'k' }), exchange('x', { error: 'y' })];
    const { own, shared } = await ship(
      'node',
      records.map((record, at) => stored(record, at)),
      from,
    );
    expect(shared).toEqual(own);
  });

  it('leaves out the record alone that the database does not take', async () => {
    const records = [0, 1, 2].map((at) => stored(entry(`r${at}`, at === 1 ? { status: 2 ** 40 } : {}), at));
    const { own, shared, rejected } = await ship('node', records, from);
    expect([shared, rejected]).toEqual([[own[0], own[2]], 1]);
  });

  it('ships small records by their number, and large ones by the mebibyte', async () => {
    const small = Array.from({ length: 2400 }, (_, at) => stored(entry(`r${at}`), at));
    const few = await ship('small', small, from);
    expect(few).toMatchObject({ rejected: 0, batches: [1500, 900] });
    expect(few.shared).toEqual(few.own);
    const excerpt = 'x'.repeat(100_000);
    const large = Array.from({ length: 30 }, (_, at) => stored(entry(`l${at}`, { excerpt }), at));
    expect((await ship('large', large, from)).batches).toEqual([12, 12, 6]);
  });

  it('ships records of several days in one batch, and makes their tables only', async () => {
    const records = [0, 0, 3].map((day, at) => stored(entry(`r${at}`), day * DAY_US + at));
    const { own, shared, batches } = await ship('node', records, from);
    expect([shared, batches]).toEqual([own, [3]]);
    const { rows } = await admin.query<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'log_records'::regclass ORDER BY 1",
    );
    const days = new Set(records.map(({ seq }) => logDayOf(seq)));
    expect(rows.map(({ name }) => name)).toEqual([...days].map((day) => `log_records_${day}`));
    expect(days.size).toBe(2);
  });
});

it('tells waits and cached tokens of all but those that a release before has shipped', async () => {
  const records = [900, 70.5, 5, undefined].map((queuedMs, at) => {
    const usage = { promptTokens: 10, completionTokens: 1, reasoningTokens: 0, cachedTokens: 9 - at };
    return stored(entry(`r${at}`, { usage, ...(queuedMs !== undefined && { queuedMs }) }), at);
  });
  await ship('node', records, 'memory');
  await admin.query(`UPDATE log_records SET queued_ms = NULL, cached_tokens = NULL WHERE id = 'r0'`);
  const { whole, buckets } = await sharedSeries(connection, { fromMs: NOON, toMs: NOON + 1, bucketMs: 1 });
  expect(whole).toMatchObject({
    outcomes: { ok: 4 },
    queuedMs: { p50: 5, p95: 70.5 },
    promptTokens: 40,
    cachedTokens: 21,
  });
  expect(buckets).toEqual([whole]);
});

it('does not wait for those who read', async () => {
  const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
  // What usage is read with waits for a lock; it stands before the server's own function of that name.
  await admin.query(`
    ALTER DATABASE "${rows[0]!.name}" SET search_path = public, pg_catalog;
    CREATE FUNCTION public.to_char(timestamp, text) RETURNS text LANGUAGE sql AS $$
      SELECT pg_advisory_xact_lock_shared(1);
      SELECT pg_catalog.to_char($1, $2)
    $$;
    INSERT INTO log_usage (source, day, key, model, account) VALUES ('one', 1, '', '', '')`);
  await admin.query('SELECT pg_advisory_lock(1)');
  const workerData = { url: database.url, node: 'node' };
  const worker = new WorkerClient(new URL('./shared-log.worker', import.meta.url), workerData);
  const usage = { fromDay: 1, toDay: 1 };
  const reads = Promise.all([1, 2].map(() => worker.callWithin<object[]>(PATIENCE_MS, 'usage', usage)));
  await eventually(PATIENCE_MS, async () => {
    const waiting = await admin.query('SELECT FROM pg_locks WHERE NOT granted');
    expect(waiting.rows).toHaveLength(2);
  });
  const batch = { records: undefined, removed: [1], last: 1, isLast: true, usage: { rows: [] } };
  expect(await worker.callWithin(PATIENCE_MS, 'ship', batch)).toEqual({ rejected: 0, isFollowed: false });
  await admin.query('SELECT pg_advisory_unlock(1)');
  expect(await reads).toMatchObject([[{ day: '1970-01-02' }], [{ day: '1970-01-02' }]]);
  await worker.end();
});
