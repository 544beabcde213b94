import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { entry, NOON, stored } from '../../../test/support/gateway/log-records.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogFilter } from '../records/log-filter.js';
import { matchesFilter } from '../records/record-match.js';
import { type RequestLogEntry } from '../records/request-log-entry.js';
import { computeSeries } from './compute-series.js';
import { openForReading, openForWriting } from './log-database.js';
import { RecordSearch } from './record-search.js';
import { RecordWriter } from './record-writer.js';
import { selectBreakdown } from './select-breakdown.js';

const RANGE = { fromMs: NOON - 1000, toMs: NOON + 1000, bucketMs: 2000 };
const ENTRIES: Readonly<Record<string, Partial<RequestLogEntry>>> = {
  listed: { totalMs: 1, client: 'go-http', method: 'GET', path: '/v1/models', operation: undefined },
  plain: { totalMs: 10, queuedMs: 2, usage: usage(100, 5, 40) },
  failed: {
    client: 'curl/8.5.0',
    totalMs: 30,
    queuedMs: 25,
    usage: usage(1, 90),
    outcome: 'upstream_error',
    error: { code: 'internal_error', reason: 'upstream_idle', message: 'x said', cause: 'y said' },
  },
  condensed: {
    client: 'openai-js',
    totalMs: 20,
    queuedMs: 4,
    usage: usage(100, 6, 80),
    condensed: [
      { message: 1, tool: 'a', rules: [], before: 900, after: 100 },
      { message: 2, tool: 'a', rules: [], before: 50, after: 40 },
    ],
  },
};

function usage(promptTokens: number, completionTokens: number, cachedTokens = 0): RequestLogEntry['usage'] {
  return { promptTokens, completionTokens, reasoningTokens: 0, cachedTokens };
}

/** Every filter of columns, and what it finds. */
const FILTERS: readonly (readonly [LogFilter, string])[] = [
  [{}, 'condensed failed plain listed'],
  [{ sort: 'slowest' }, 'failed condensed plain listed'],
  [{ sort: 'slowest', limit: 1 }, 'failed'],
  [{ sort: 'largest' }, 'condensed plain failed listed'],
  [{ sort: 'largest', limit: 1, reason: 'upstream_idle' }, 'failed'],
  [{ sort: 'slowest', client: 'openai' }, 'condensed'],
  [{ client: 'curl' }, 'failed'],
  [{ client: 'url' }, ''],
  [{ client: 'nobody' }, ''],
  [{ operation: 'completion' }, 'condensed failed plain'],
  [{ reason: 'upstream_idle' }, 'failed'],
  [{ reason: 'site_changed' }, ''],
  [{ sort: 'slowest', reason: 'upstream_idle', client: 'curl/8', lasts: { ms: 30, since: 0 } }, 'failed'],
  [{ from: NOON, until: NOON + 1, key: 'k', model: 'm', account: 'a', conversation: 'c' }, ''],
  [{ level: 'error', status: { from: 200, to: 299 }, outcome: 'failed' }, 'failed'],
];

let folder: string;
let file: DatabaseSync;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'record-search-'));
  file = openForWriting(path());
});
afterEach(async () => {
  file.close();
  await rm(folder, { recursive: true });
});

const path = (): string => join(folder, 'logs.db');

function write(...ids: readonly string[]): void {
  const records = ids.map((id) => stored(entry(id, ENTRIES[id]), Object.keys(ENTRIES).indexOf(id)));
  const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
  new RecordWriter(file).write(records, limits, () => undefined, fail);
}

function fail(_record: object, reason: string): void {
  throw new Error(reason);
}

/** @returns ids, newest first, or in the order of a ranking */
function found(database: DatabaseSync, filter: LogFilter): string {
  const { records } = new RecordSearch(database, new SystemClock()).page(filter);
  const inOrder = filter.sort === undefined ? records.toSorted((a, b) => b.seq - a.seq) : records;
  return inOrder.map(({ id }) => id).join(' ');
}

function counted(database: DatabaseSync): object {
  const { client, reason } = selectBreakdown(database, RANGE).rows;
  return {
    saved: client.map(({ name, savedCharacters }) => [name, savedCharacters] as const).toSorted(),
    reasons: reason.map(({ name, requests }) => [name, requests]),
  };
}

const COUNTED = {
  saved: [
    ['', 0],
    ['curl/8.5.0', 0],
    ['openai-js', 810],
  ],
  reasons: [['upstream_idle', 1]],
};

describe('a store of this release', () => {
  beforeEach(() => {
    write(...Object.keys(ENTRIES));
    // Whatever takes it apart fails.
    file.exec(`UPDATE texts SET brief = 'no JSON'`);
  });

  it.each([
    ...FILTERS,
    [{ sort: 'waited' }, 'failed condensed plain listed'],
    [{ sort: 'waited', limit: 1, client: 'openai' }, 'condensed'],
  ] as typeof FILTERS)('is filtered by its columns alone: %j', (filter, wanted) => {
    expect(found(file, filter)).toBe(wanted);
  });

  it('is counted by its columns alone', () => {
    expect(counted(file)).toEqual(COUNTED);
    expect(selectBreakdown(file, RANGE)).toMatchObject({
      longestWait: { startedAt: NOON, queuedMs: 25 },
      rows: { model: [{ promptTokens: 201, cachedTokens: 120 }] },
    });
    expect(computeSeries(file, RANGE).whole).toMatchObject({
      outcomes: { ok: 2, upstream_error: 1 },
      queuedMs: { p50: 2, p95: 4 },
      promptTokens: 201,
      cachedTokens: 120,
    });
  });

  it('reads the texts of those records only that are on the page', () => {
    const prepare = jest.spyOn(file, 'prepare');
    for (const [filter] of FILTERS) {
      found(file, filter);
    }
    found(file, { sort: 'waited', reason: 'upstream_idle' });
    new RecordSearch(file, new SystemClock()).changes({ after: 0, limit: 2, withTexts: false });
    const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
    prepare.mockRestore();
    const plans = statements.map((sql) => file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
    for (const [at, plan] of plans.entries()) {
      const steps = plan.map(({ detail }) => String(detail));
      // A row of the texts is looked up by its number; what is sorted, is sorted without them.
      expect([
        statements[at],
        steps.filter((step) => /SCAN texts|texts USING (?!INTEGER)/.test(step)),
      ]).toEqual([statements[at], []]);
    }
    const rankings = statements.filter((sql) => / (total|queued)_ms DESC/.test(sql));
    expect(rankings.length).toBeGreaterThan(1);
    expect(rankings.filter((sql) => !/IN \(SELECT seq FROM records WHERE .* LIMIT \d+\)/.test(sql))).toEqual(
      [],
    );
  });
});

describe('a store of a release before', () => {
  beforeEach(() => {
    write('listed', 'plain', 'failed');
    file.exec(`ALTER TABLE records DROP COLUMN client; ALTER TABLE records DROP COLUMN reason;
      ALTER TABLE records DROP COLUMN saved_characters; ALTER TABLE records DROP COLUMN queued_ms;
      ALTER TABLE records DROP COLUMN cached_tokens`);
    file.close();
    file = openForWriting(path());
    write('condensed');
    file.exec(`UPDATE records SET saved_characters = NULL WHERE id = 'condensed'`);
  });

  it.each(FILTERS)('is filtered by what its JSON says: %j', (filter, wanted) => {
    expect(found(file, filter)).toBe(wanted);
  });

  it('is counted by what its JSON says, also by who only reads', () => {
    const reader = openForReading(path());
    expect(counted(reader)).toEqual(COUNTED);
    reader.close();
  });

  it('tells waits and cached tokens of those alone that have them in columns', () => {
    // What takes the JSON apart for them fails.
    file.exec(`UPDATE texts SET brief = 'no JSON' WHERE seq IN (SELECT seq FROM records WHERE reason = '')`);
    expect(computeSeries(file, RANGE).whole).toMatchObject({
      queuedMs: { p50: 4, p95: 4 },
      promptTokens: 201,
      cachedTokens: 80,
    });
    expect(found(file, { sort: 'waited' })).toBe('condensed listed plain failed');
  });
});

it('finds what is under way by how long it has been, the longest first', () => {
  const began = [100, 300, 200].map((ms, at) =>
    stored(entry(`r${ms}`, { outcome: 'pending', totalMs: undefined, startedAt: NOON - ms }), at),
  );
  const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
  new RecordWriter(file).write(began, limits, () => undefined, fail);
  write('plain', 'failed');
  const lasts = { ms: 20, since: NOON - 200 };
  expect(found(file, { lasts })).toBe('failed r200 r300');
  expect(found(file, { lasts, sort: 'slowest' })).toBe('failed r300 r200');
  expect(found(file, { sort: 'slowest', outcome: 'pending', limit: 2 })).toBe('r300 r200');
  expect(began.filter((record) => matchesFilter(record, { lasts })).map(({ id }) => id)).toEqual([
    'r300',
    'r200',
  ]);
});

it('tells apart whose limit a request met, also of a release before', () => {
  const records = (['key_limited', 'rate_limited', 'key_limited'] as const).map((reason, at) =>
    stored(entry(`r${at}`, { outcome: 'rate_limited', error: { code: 'rate_limit', reason } }), at),
  );
  const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
  new RecordWriter(file).write(records, limits, () => undefined, fail);
  file.exec(`UPDATE records SET reason = NULL WHERE id = 'r0'`);
  const { whole, buckets } = computeSeries(file, RANGE);
  expect(whole).toMatchObject({ outcomes: { rate_limited: 3 }, keyLimited: 2 });
  expect(buckets).toEqual([whole]);
});

it('reads no more changes than the length of a page, newest first', () => {
  const content = { messages: [], reasoning: '', answer: 'x'.repeat(2 ** 23) };
  write('plain', 'failed');
  const records = ['r1', 'r2', 'r3'].map((id, at) => stored(entry(id, { content }), 10 + at));
  const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
  new RecordWriter(file).write(records, limits, () => undefined, fail);
  const changes = (withTexts: boolean): readonly string[] =>
    new RecordSearch(file, new SystemClock()).changes({ after: 0, limit: 10, withTexts }).map(({ id }) => id);
  expect(changes(true)).toEqual(['r2', 'r3']);
  expect(changes(false)).toEqual(['plain', 'failed', 'r1', 'r2', 'r3']);
});

it.each([
  ['x said', 'failed', 'failed'],
  ['y said', 'failed', ''],
])('finds %s where the operator, and where a caller, may see it', (q, forOperator, forCaller) => {
  write('plain', 'failed');
  expect(found(file, { q })).toBe(forOperator);
  expect(found(file, { q, isCallers: true })).toBe(forCaller);
});

it('goes through a store by windows, each record once', () => {
  const records = Array.from({ length: 2500 }, (_, at) => stored(entry(`r${at}`), at));
  const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
  new RecordWriter(file).write(records, limits, () => undefined, fail);
  const seen: number[] = [];
  const search = new RecordSearch(file, new SystemClock());
  for (let before: string | undefined = String(NOON * 2000); before !== undefined;) {
    // A search in texts has windows of 1,000 records.
    const { records: page, reached } = search.page({ q: 'SVC-MAX', limit: 1001, before });
    seen.push(...page.map(({ seq }) => seq));
    before = reached > 0 ? String(reached) : undefined;
  }
  expect(seen).toEqual(records.map(({ seq }) => seq).toReversed());
});
