import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entry, NOON } from '../../../test/support/gateway/log-records.js';
import { Outbox } from '../outbox/outbox.js';
import { type RequestLogEntry } from '../records/request-log-entry.js';
import { toStoredRecord } from '../records/stored-record.js';
import { openForWriting } from './log-database.js';
import { RecordWriter } from './record-writer.js';
import { selectUsage } from './usage-table.js';

const DAY_MS = 86_400_000;
const TODAY = Math.floor(NOON / DAY_MS);
const USAGE = { promptTokens: 10, completionTokens: 20, reasoningTokens: 5, cachedTokens: 3 };
const FIGURES = {
  requests: 1,
  errors: 0,
  promptTokens: 10,
  completionTokens: 20,
  cachedTokens: 3,
  reasoningTokens: 5,
  savedCharacters: 0,
  queuedMs: 0,
};

describe('UsageTable', () => {
  let folder: string;
  let database: DatabaseSync;
  let writer: RecordWriter;
  let seq = 0;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'usage-table-'));
    database = openForWriting(join(folder, 'logs.db'));
    writer = new RecordWriter(database);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const write = (changes: Partial<RequestLogEntry>, number = ++seq, now = NOON): void => {
    const record = toStoredRecord(entry(`r${number}`, { receivedMs: 1, ...changes }), {
      seq: number,
      changed: number,
    });
    const limits = { maxBytes: 2 ** 30, keepFrom: 0, now };
    writer.write(
      [record],
      limits,
      () => undefined,
      () => undefined,
    );
  };
  const rows = (key?: string): unknown[] =>
    selectUsage(database, { fromDay: 0, toDay: TODAY + 1000, key }).map((row) => ({ ...row }));

  it('reads a sum that JavaScript cannot hold as the largest that it can', () => {
    const outbox = new Outbox(database, 'node');
    [1, 2, 3].forEach(() => write({ usage: { ...USAGE, promptTokens: Number.MAX_SAFE_INTEGER } }));
    const sum = { requests: 3, promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 60 };
    expect(rows()).toEqual([expect.objectContaining(sum)]);
    expect(outbox.next(0).usage.rows).toEqual([expect.objectContaining(sum)]);
  });

  it('adds requests up by day, key, model and account', () => {
    const served = { key: 'ann', account: 'one', usage: USAGE, queuedMs: 7.4 };
    write({ ...served, condensed: [{ message: 1, tool: 'a', rules: [], before: 900, after: 300 }] });
    write(served);
    write({ ...served, account: 'two', outcome: 'cancelled' });
    write({ ...served, startedAt: NOON + DAY_MS });
    write({ usage: USAGE, account: 'one' });
    const day = '2027-01-15';
    const place = { day, key: 'ann', model: 'svc-max' };
    expect(rows()).toEqual([
      { ...place, key: '', account: 'one', ...FIGURES },
      {
        ...place,
        account: 'one',
        ...FIGURES,
        requests: 2,
        promptTokens: 20,
        completionTokens: 40,
        cachedTokens: 6,
        reasoningTokens: 10,
        savedCharacters: 600,
        queuedMs: 14,
      },
      { ...place, account: 'two', ...FIGURES, errors: 1, queuedMs: 7 },
      { ...place, day: '2027-01-16', account: 'one', ...FIGURES, queuedMs: 7 },
    ]);
    expect(rows('bob')).toEqual([]);
  });

  it('counts a request once, at its end, however often it is written', () => {
    write({ key: 'ann', outcome: 'pending' }, 900_001);
    expect(rows()).toEqual([]);
    write({ key: 'ann', account: 'one', usage: USAGE }, 900_001);
    write({ key: 'ann', account: 'one', usage: USAGE }, 900_001);
    expect(rows()).toEqual([expect.objectContaining({ requests: 1, promptTokens: 10 })]);
  });

  it('counts a request that the death of the process has cut off as an error, once', () => {
    write({ key: 'ann', account: 'one', outcome: 'pending' });
    new RecordWriter(database).closePending();
    new RecordWriter(database).closePending();
    expect(rows()).toEqual([expect.objectContaining({ key: 'ann', account: 'one', requests: 1, errors: 1 })]);
  });

  it('counts neither strangers nor calls that are no completions, and keeps no made-up model', () => {
    write({ isStranger: true, outcome: 'client_error' });
    write({ operation: undefined, key: 'ann' });
    write({ key: 'ann', model: 'made-up', receivedMs: undefined, outcome: 'client_error', status: 404 });
    expect(rows()).toEqual([expect.objectContaining({ key: 'ann', model: '', requests: 1, errors: 1 })]);
  });

  it('keeps the model of what failed before it met an account', () => {
    const place = expect.objectContaining({ model: 'svc-max', account: '', requests: 2, errors: 2 });
    write({ outcome: 'rate_limited' });
    write({ outcome: 'pending' });
    new RecordWriter(database).closePending();
    expect(rows()).toEqual([place]);
  });

  it('keeps a year, whatever the log keeps', () => {
    write({ key: 'ann' });
    write({ key: 'bob' }, ++seq, NOON + 366 * DAY_MS);
    expect(rows()).toHaveLength(2);
    write({ key: 'bob' }, ++seq, NOON + 367 * DAY_MS);
    expect(rows()).toEqual([]);
  });
});
