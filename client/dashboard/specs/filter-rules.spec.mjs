import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { SystemClock } from '../../../src/common/time/clock.js';
import { ListLogDto, toLogFilter } from '../../../src/logs/dto/list-log.dto.js';
import { OUTCOMES } from '../../../src/logs/records/log-filter.js';
import { matchesFilter } from '../../../src/logs/records/record-match.js';
import { openForWriting } from '../../../src/logs/store/log-database.js';
import { RecordSearch } from '../../../src/logs/store/record-search.js';
import { RecordWriter } from '../../../src/logs/store/record-writer.js';
import { entry, exchange, NOON, stored } from '../../../test/support/gateway/log-records.js';
import { fits } from '../assets/data/filters.js';

const ERROR = { code: 'internal_error', reason: 'upstream_idle' };
const CONVERSATION = '0123456789abcdef';

const RECORDS = [
  ...OUTCOMES.map((outcome) =>
    entry(`of ${outcome}`, { outcome, ...(outcome === 'pending' && { totalMs: undefined }) }),
  ),
  // A caller may leave before it has read its error, and a request may be running that had one.
  ...OUTCOMES.map((outcome) => entry(`with a reason, of ${outcome}`, { outcome, error: ERROR })),
  entry('of others', { model: 'other', account: 'a', key: 'ann', client: 'curl/8.5.0', status: 404 }),
  entry('of a list', { operation: undefined, status: 429, conversation: CONVERSATION }),
  entry('of later', { startedAt: NOON + 5, totalMs: 200, status: undefined }),
  exchange('well', { account: 'a', requestId: 'of ok' }),
  exchange('without an account', { startedAt: NOON + 5 }),
  exchange('running', { status: undefined, totalMs: undefined }),
  exchange('answering', { totalMs: undefined }),
  exchange('cut', { error: 'reset', totalMs: 200 }),
  exchange('unanswered', { status: undefined, error: 'refused' }),
  exchange('given up', { error: 'cancelled' }),
  ...[404, 429, 430, 500].map((status) => exchange(`of ${status}`, { status })),
];
const IN_STORE = RECORDS.map((record, at) => stored(record, at));

/** Queries of both kinds of records, each of which finds some, and not all. */
const QUERIES = [
  ...OUTCOMES.map((status) => ({ status })),
  ...['failed', '2xx', '4xx', '429'].map((status) => ({ status })),
  ...[
    'rate_limited',
    'upstream_error',
    'cancelled',
    'ok',
    'pending',
    'client_error',
    'failed',
    '4xx',
    '430',
  ].map((status) => ({ kind: 'network', status })),
  { model: 'other' },
  { account: 'a' },
  { key: 'ann' },
  { client: 'curl' },
  { operation: 'completion' },
  { conversation: CONVERSATION },
  { reason: 'upstream_idle' },
  { from: String(NOON + 1) },
  { until: String(NOON + 1) },
  { min_ms: '101' },
  { kind: 'network', account: 'a' },
  { kind: 'network', served: '1' },
  { kind: 'network', min_ms: '91' },
  { kind: 'network', from: String(NOON + 5) },
];

/** Ids of stored records, by kind of the query, in the order of `RECORDS`. */
const ofKind = ({ kind = 'request' }) => RECORDS.filter((record) => record.kind === kind);

// One rule in three forms: a record must not come and go as it is written, and seen by a page that follows the log.
describe('the file, the records that are not written yet, and the page', () => {
  let folder;
  let file;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'filter-rules-'));
    file = openForWriting(join(folder, 'logs.db'));
    const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
    new RecordWriter(file).write(
      IN_STORE,
      limits,
      () => undefined,
      (_record, reason) => {
        throw new Error(reason);
      },
    );
  });
  afterAll(async () => {
    file.close();
    await rm(folder, { recursive: true });
  });

  it.each(QUERIES)('find the same for %j', (query) => {
    const filter = toLogFilter(plainToInstance(ListLogDto, { ...query, limit: '500' }));
    const inFile = new RecordSearch(file, new SystemClock()).page(filter, false).records.map(({ id }) => id);
    const unwritten = IN_STORE.filter((record) => matchesFilter(record, filter)).map(({ id }) => id);
    const onPage = ofKind(query)
      .filter((record) => fits(record, query))
      .map(({ id }) => id);
    expect({ unwritten, onPage }).toEqual({ unwritten: inFile.toReversed(), onPage: inFile.toReversed() });
    expect(inFile.length).toBeGreaterThan(0);
    expect(inFile.length).toBeLessThan(ofKind(query).length);
  });
});
