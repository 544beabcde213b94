import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entry } from '../../../test/support/gateway/log-records.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { Settings } from '../../common/config/settings.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { SystemClock } from '../../common/time/clock.js';
import { LogJournal, type OpenRecord } from '../journal/log-journal.js';
import { type RequestLogEntry } from '../records/request-log-entry.js';
import { dropOldUsage, SHIP_USAGE } from './shared-usage.js';

const DAY_MS = 86_400_000;
const clock = new SystemClock();
const TODAY = Math.floor(clock.now() / DAY_MS);
/** Rows of today, and of tomorrow in case that it is midnight. */
const RANGE = { fromDay: TODAY, toDay: TODAY + 1 };
const USAGE = { promptTokens: 10, completionTokens: 20, reasoningTokens: 5, cachedTokens: 3 };

let made: TestDatabase;
let database: PgDatabase;
let folders: string[];
let journals: LogJournal[];

beforeEach(async () => {
  made = await createTestDatabase();
  database = await PgDatabase.open(made.url);
  folders = [];
  journals = [];
});
afterEach(async () => {
  await Promise.all(journals.map((journal) => journal.onApplicationShutdown()));
  await database.close();
  await made.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shared-usage-'));
  folders.push(folder);
  return folder;
}

/** The log of a gateway; the same folder makes it the same node. */
async function node(folder?: string, url: string | undefined = made.url): Promise<LogJournal> {
  const DATA_DIR = folder ?? (await newFolder());
  const settings = Object.assign(new Settings(), { DATA_DIR, DATABASE_URL: url });
  const journal = new LogJournal(settings, clock);
  journals.push(journal);
  await journal.onModuleInit();
  return journal;
}

const begin = (journal: LogJournal, id: string, changes: Partial<RequestLogEntry> = {}): OpenRecord =>
  journal.begin(
    entry(id, {
      startedAt: clock.now(),
      receivedMs: 1,
      key: 'ann',
      account: 'one',
      usage: USAGE,
      ...changes,
    }),
    'full',
  );
const log = (journal: LogJournal, count: number, changes: Partial<RequestLogEntry> = {}): void => {
  for (let at = 0; at < count; at += 1) {
    begin(journal, `r${Math.random()}`, changes).end();
  }
};

/** Requests, errors and tokens of each key, as a node tells them. */
async function usage(journal: LogJournal): Promise<Record<string, readonly number[]>> {
  const sums = new Map<string, number[]>();
  for (const row of await journal.flush().usage(RANGE)) {
    const figures = [row.requests, row.errors, row.promptTokens + row.completionTokens];
    const before = sums.get(row.key) ?? [0, 0, 0];
    sums.set(
      row.key,
      figures.map((figure, at) => figure + before[at]!),
    );
  }
  return Object.fromEntries(sums);
}

const becomes = (journal: LogJournal, expected: Record<string, readonly number[]>): Promise<void> =>
  eventually(PATIENCE_MS, async () => expect(await usage(journal)).toEqual(expected));

describe('usage of several nodes', () => {
  it('adds up, in the rows and the order of one node', async () => {
    const [one, other] = [await node(), await node()];
    log(one, 3);
    log(other, 2);
    log(other, 1, { outcome: 'cancelled', account: 'two' });
    log(other, 1, { key: 'Bob', usage: undefined });
    await becomes(one, { ann: [6, 1, 180], Bob: [1, 0, 0] });
    await becomes(other, { ann: [6, 1, 180], Bob: [1, 0, 0] });
    const rows = await one.flush().usage(RANGE);
    expect(rows.map(({ key, account }) => [key, account])).toEqual([
      ['Bob', 'one'],
      ['ann', 'one'],
      ['ann', 'two'],
    ]);
    expect(rows[1]).toEqual({
      day: new Date(rows[1]!.day).toISOString().slice(0, 10),
      key: 'ann',
      model: 'svc-max',
      account: 'one',
      requests: 5,
      errors: 0,
      promptTokens: 50,
      completionTokens: 100,
      cachedTokens: 15,
      reasoningTokens: 25,
      savedCharacters: 0,
      queuedMs: 0,
    });
    expect(await one.flush().usage({ ...RANGE, key: 'Bob' })).toHaveLength(1);
    expect(await one.flush().usage({ fromDay: TODAY - 9, toDay: TODAY - 2 })).toEqual([]);
  });

  it('counts a row that was on its way twice once, and never goes back', async () => {
    const one = await node();
    const stored = async (): Promise<number | undefined> =>
      (await database.query<{ requests: number }>('SELECT requests FROM log_usage'))[0]?.requests;
    log(one, 4);
    await eventually(PATIENCE_MS, async () => expect(await stored()).toBe(4));
    // As if an earlier statement were carried out late.
    await database.query('UPDATE log_usage SET requests = requests + 100');
    log(one, 1, { key: 'Bob' });
    log(one, 1);
    await becomes(one, { ann: [104, 0, 120], Bob: [1, 0, 30] });
  });

  it('reads no year of it for what others have counted, nor for what is too old', async () => {
    await database.query(
      `INSERT INTO log_usage (source, day, key, model, account)
       SELECT 'file', $1 - at % 300, 'key ' || at % 50, 'model', 'account ' || at FROM generate_series(1, 20000) AS at`,
      [TODAY],
    );
    await database.query('ANALYZE log_usage');
    const planOf = async (sql: string, values: readonly unknown[] = []): Promise<string> =>
      JSON.stringify(await database.query(`EXPLAIN ${sql}`, values));
    const shipping = await planOf(`WITH ${SHIP_USAGE} SELECT`, ['node', '[{}]']);
    expect(shipping).toContain('log_usage_crashed');
    const plans: string[] = [];
    await dropOldUsage(async (sql) => {
      plans.push(await planOf(sql));
      return [];
    });
    expect([shipping, ...plans].join()).not.toContain('Seq Scan on log_usage');
  });

  it('takes up what a gateway has counted alone', async () => {
    const folder = await newFolder();
    const alone = await node(folder, undefined);
    log(alone, 5);
    await alone.onApplicationShutdown();
    log(await node(folder), 1);
    await becomes(await node(), { ann: [6, 0, 180] });
  });

  it('counts what a dead node was at as errors, and what it knows itself once it is back', async () => {
    const folder = await newFolder();
    const [dead, witness] = [await node(folder), await node()];
    log(dead, 2);
    const running = entry('cut', { startedAt: clock.now(), key: 'ann', account: 'one', outcome: 'pending' });
    const cut = dead.begin(running, 'full');
    await becomes(witness, { ann: [2, 0, 60] });
    // The present nodes have been seen; the one is made to look as if it were long ago.
    await eventually(PATIENCE_MS, async () => {
      await database.query(
        `UPDATE log_nodes SET seen_at = clock_timestamp() - interval '31 seconds'
         WHERE node = (SELECT node FROM log_records WHERE id = 'cut')`,
      );
      expect(await usage(witness)).toEqual({ ann: [3, 1, 60] });
    });
    Object.assign(running, { outcome: 'ok', usage: USAGE });
    cut.end();
    await becomes(witness, { ann: [3, 0, 90] });
  });

  it('keeps its source when its file is of another release', async () => {
    const folder = await newFolder();
    const before = await node(folder);
    log(before, 3);
    await becomes(before, { ann: [3, 0, 90] });
    await before.onApplicationShutdown();
    const file = new DatabaseSync(join(folder, 'logs.db'));
    file.exec('PRAGMA user_version = 99');
    file.close();
    const after = await node(folder);
    log(after, 1);
    await becomes(after, { ann: [4, 0, 120] });
  });

  it('begins a new source when its file is lost, and adds to what was shipped', async () => {
    const folder = await newFolder();
    const before = await node(folder);
    log(before, 3);
    await becomes(before, { ann: [3, 0, 90] });
    await before.onApplicationShutdown();
    await rm(join(folder, 'logs.db-wal'), { force: true });
    await writeFile(join(folder, 'logs.db'), 'no database');
    const after = await node(folder);
    log(after, 1);
    await becomes(after, { ann: [4, 0, 120] });
  });
});
