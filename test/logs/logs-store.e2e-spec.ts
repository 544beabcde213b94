import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Settings } from '../../src/common/config/settings.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { type LogFilter } from '../../src/logs/records/log-filter.js';
import { type StoredRecord } from '../../src/logs/records/stored-record.js';
import { openForWriting } from '../../src/logs/store/log-database.js';
import { LogStore } from '../../src/logs/store/log-store.js';
import { RecordWriter } from '../../src/logs/store/record-writer.js';
import { entry, exchange, NOON, stored } from '../support/gateway/log-records.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

const HOUR_MS = 3_600_000;

describe('the stored log', () => {
  let folder: string;
  let settings: Settings;
  let warnings: [details: object, message: string][];
  let stores: LogStore[];
  const path = (): string => join(folder, 'logs.db');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-store-'));
    settings = Object.assign(new Settings(), { DATA_DIR: folder, LOG_RETENTION_DAYS: 36_500 });
    warnings = [];
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(folder, { recursive: true });
  });

  const open = async (): Promise<LogStore> => {
    const store = new LogStore(settings, new SystemClock(), (details, message) =>
      warnings.push([details, message]),
    );
    stores.push(store);
    await store.open();
    return store;
  };
  const settled = (store: LogStore): Promise<unknown> =>
    store.changes({ after: 0, limit: 1, withTexts: false });
  const ids = async (store: LogStore, limit = 500): Promise<string[]> =>
    (await store.page({ limit, withTexts: true })).texts.map(
      (text) => (JSON.parse(text) as { id: string }).id,
    );
  /** Writes records like a process that is killed afterwards. */
  const leave = (records: readonly StoredRecord[]): void => {
    const database = openForWriting(path());
    new RecordWriter(database).write(
      records,
      { maxBytes: 2 ** 30, keepFrom: 0, now: 0 },
      () => undefined,
      ({ id }, reason) => {
        throw new Error(`${id}: ${reason}`);
      },
    );
    database.close();
  };

  it('closes records left pending as crashed, once, and continues after their numbers', async () => {
    leave([
      stored(entry('done'), 1),
      stored(
        entry('open', {
          outcome: 'pending',
          status: undefined,
          attempts: [
            { account: 'a', startedMs: 1, durationMs: 5, outcome: 'upstream_status_500' },
            { account: 'b', startedMs: 9, durationMs: 0, outcome: 'running' },
          ],
          content: { messages: [], reasoning: '', answer: 'half' },
        }),
        2,
      ),
      stored(exchange('sent', { requestId: 'open', totalMs: undefined, requestBody: 'x' }), 3),
    ]);
    const store = await open();
    const found = await store.find('open');
    expect(JSON.parse(found!.entry)).toMatchObject({
      id: 'open',
      outcome: 'crashed',
      attempts: [{ outcome: 'upstream_status_500' }, { outcome: 'crashed' }],
      content: { answer: 'half' },
    });
    expect(found!.network.map((text) => JSON.parse(text) as object)).toEqual([
      exchange('sent', {
        requestId: 'open',
        totalMs: undefined,
        requestBody: 'x',
        error: 'The gateway was killed.',
      }),
    ]);
    expect((await store.page({ outcome: 'crashed', withTexts: true })).texts).toEqual([found!.entry]);
    const changes = await store.changes({ after: NOON * 1000 + 3, limit: 10, withTexts: false });
    expect(changes.map(({ id, changed }) => [id, changed - NOON * 1000])).toEqual([
      ['open', 4],
      ['sent', 5],
    ]);
    await store.close();
    // A store that takes long to open is told from an empty one at the next attempt.
    await eventually(PATIENCE_MS, async () => {
      const again = new LogStore(settings, new SystemClock(), () => undefined);
      stores.push(again);
      expect(await again.open()).toBe(NOON * 1000 + 5);
    });
  });

  it('leaves out a record with a value that does not fit, and stores the ones around it', async () => {
    const store = await open();
    const bad = entry('bad', {
      usage: { promptTokens: 1e20, completionTokens: 1, reasoningTokens: 0, cachedTokens: 0 },
    });
    [entry('before'), bad, entry('after')].forEach((one, index) => store.put(stored(one, index + 1)));
    await eventually(PATIENCE_MS, () =>
      expect(warnings).toEqual([
        [
          expect.objectContaining({
            event: 'log_rejected',
            id: 'bad',
            detail: expect.stringContaining('REAL'),
          }),
          expect.any(String),
        ],
      ]),
    );
    expect(await ids(store)).toEqual(['after', 'before']);
    expect(store.stats()).toMatchObject({ dropped: 1, entries: 2, isHealthy: true });
  });

  it('includes queued records in their latest state', async () => {
    const store = await open();
    store.put(stored(entry('a', { outcome: 'pending' }), 1));
    await settled(store);
    store.put(stored(entry('a'), 1, 3));
    store.put(stored(entry('b', { outcome: 'pending' }), 2));
    expect((await store.page({})).texts.map((text) => JSON.parse(text) as object)).toEqual([
      entry('b', { outcome: 'pending' }),
      entry('a'),
    ]);
    expect((await store.page({ outcome: 'pending' })).texts).toHaveLength(1);
    expect((await store.page({ limit: 1, before: String(NOON * 1000 + 2) })).texts).toHaveLength(1);
  });

  it('finds the stored exchanges of a request that is not stored yet', async () => {
    const store = await open();
    store.put(stored(exchange('sent', { requestId: 'a' }), 2));
    await settled(store);
    store.put(stored(entry('a'), 1));
    const found = await store.find('a');
    expect(found?.network.map((text) => JSON.parse(text) as object)).toEqual([
      exchange('sent', { requestId: 'a' }),
    ]);
  });

  it('returns bodies unchanged, and searches them', async () => {
    const store = await open();
    const responseBody = 'data: {"text":"\\"50 %\\" of_it|\\n"}\n\n\0\u001f\u2028 ü 😀';
    const records = [
      exchange('both', { requestBody: '{"a":"\t"}', responseBody }),
      exchange('sent', { requestBody: '' }),
      exchange('got', { responseBody: 'ok' }),
    ];
    records.forEach((record, index) => store.put(stored(record, index)));
    await settled(store);
    const page = async (q?: string): Promise<object[]> =>
      (await store.page({ kind: 'network', ...(q !== undefined && { q }), withTexts: true })).texts.map(
        (text) => JSON.parse(text) as object,
      );
    expect(await page()).toEqual(records.toReversed());
    expect(await page('50_%')).toEqual([]);
    for (const q of ['\\"50 %\\" OF_IT|', '"}\n\n', '{"a":"\t"}']) {
      expect(await page(q)).toEqual([records[0]]);
    }
    const brief = (await store.page({ kind: 'network', limit: 1 })).texts;
    expect(brief).toEqual([JSON.stringify(exchange('got'))]);
  });

  it('cuts a page short before it grows too large, and goes on with the next one', async () => {
    const store = await open();
    const content = { messages: [], reasoning: '', answer: 'x'.repeat(2 ** 20) };
    for (let index = 0; index < 20; index++) {
      store.put(stored(entry(`large ${index}`, { content }), index + 1));
    }
    // Records that are not stored yet are in memory anyway, and cut nothing short.
    await eventually(PATIENCE_MS, async () => expect(await ids(store)).toHaveLength(15));
    const first = await store.page({ limit: 500, withTexts: true });
    const second = await store.page({ limit: 500, before: first.next ?? '', withTexts: true });
    expect([first.texts.length, second.texts.length, second.next]).toEqual([15, 5, null]);
    const seen = [...first.texts, ...second.texts].map((text) => (JSON.parse(text) as { id: string }).id);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `large ${19 - index}`));
    expect((await store.page({ limit: 500 })).texts).toHaveLength(20);
    const found = await store.page({ limit: 500, q: 'xxx', withTexts: true });
    expect([found.texts.length, found.next]).toEqual([15, first.next]);
  });

  it('F23: keeps the newest records within its size limit, also after a change of it', async () => {
    settings.LOG_MAX_BYTES = 2 ** 20;
    const store = await open();
    const whole = { messages: [{ role: 'user', content: 'x'.repeat(10_000) }], reasoning: '', answer: '' };
    let largest = 0;
    const size = async (): Promise<number> => {
      const files = (await readdir(folder)).filter((name) => /^logs\.db(-wal)?$/.test(name));
      const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
      return sizes.reduce((sum, bytes) => sum + bytes, 0);
    };
    for (let round = 0; round < 50; round++) {
      for (let index = 0; index < 100; index++) {
        store.put(stored(entry(`${round}-${index}`, { content: whole }), round * 100 + index + 1));
      }
      await settled(store);
      largest = Math.max(largest, await size());
    }
    // The write-ahead log starts over only while nobody reads, and a busy machine may stop a reader in the middle.
    expect(largest).toBeLessThan(2.5 * settings.LOG_MAX_BYTES);
    // The store waits half a second for its disk before it answers from memory.
    await eventually(PATIENCE_MS, async () => {
      const kept = await ids(store);
      expect(kept.length).toBeGreaterThan(50);
      expect(kept).toEqual(kept.map((_, index) => `49-${99 - index}`).slice(0, 100));
      expect(store.stats()).toMatchObject({ dropped: 0, entries: kept.length, isHealthy: true });
    });
    settings.LOG_MAX_BYTES = 2 ** 18;
    store.put(stored(entry('last'), 9999));
    await eventually(PATIENCE_MS, async () => {
      await settled(store);
      expect(store.stats().bytes).toBeLessThanOrEqual(settings.LOG_MAX_BYTES);
    });
    expect((await ids(store))[0]).toBe('last');
  });

  it('deletes records above the age limit', async () => {
    settings.LOG_RETENTION_DAYS = 1;
    const now = Date.now();
    leave([
      stored(entry('old', { startedAt: now - 25 * HOUR_MS })),
      stored(entry('new', { startedAt: now - 23 * HOUR_MS })),
    ]);
    const store = await open();
    await eventually(PATIENCE_MS, async () => expect(await ids(store)).toEqual(['new']));
    settings.LOG_RETENTION_DAYS = 0.5;
    store.put(stored(entry('now', { startedAt: now })));
    await eventually(PATIENCE_MS, async () => expect(await ids(store)).toEqual(['now']));
  });

  it.each([
    ['that is no database', 'not a database at all'.repeat(500)],
    ['of nothing but zeros', '\0'.repeat(10_000)],
  ])('renames a file %s, and creates a new one', async (_, bytes) => {
    await writeFile(path(), bytes);
    const store = await open();
    store.put(stored(entry('a'), 1));
    await settled(store);
    await eventually(PATIENCE_MS, async () => expect(await ids(store)).toEqual(['a']));
    const [aside, ...more] = (await readdir(folder)).filter((name) => name.includes('.corrupt-'));
    expect(more).toEqual([]);
    expect(await readFile(join(folder, aside!), 'latin1')).toBe(bytes);
    await eventually(PATIENCE_MS, () =>
      expect(warnings).toEqual([[{ event: 'log_replaced' }, expect.stringContaining(aside!)]]),
    );
  });

  it('deletes at its opening what was put aside before the time that is kept', async () => {
    settings.LOG_RETENTION_DAYS = 7;
    const old = 'logs.db.corrupt-2000-01-01T00-00-00-000Z';
    await writeFile(join(folder, old), 'old');
    await writeFile(path(), 'no database'.repeat(500));
    await settled(await open());
    const aside = (await readdir(folder)).filter((name) => name.includes('.corrupt-'));
    expect(aside).toHaveLength(1);
    expect(aside).not.toContain(old);
  });

  it('is whole in its one file once it is closed, though it was read to the end', async () => {
    const store = await open();
    store.put(stored(entry('last'), 1));
    expect(await ids(store)).toEqual(['last']);
    await store.close();
    expect(await readdir(folder)).toEqual(['logs.db']);
  });

  it('renames a file found to be damaged while in use', async () => {
    leave(Array.from({ length: 2000 }, (_, index) => stored(entry(`old-${index}`), index + 1)));
    const bytes = await readFile(path());
    bytes.fill(0xa5, 2 * 4096);
    await writeFile(path(), bytes);
    const store = await open();
    store.put(stored(entry('new'), 9000));
    await eventually(PATIENCE_MS, async () => {
      expect(await ids(store)).toEqual(['new']);
      expect(store.stats()).toMatchObject({ isHealthy: true, dropped: 0, entries: 1 });
    });
    expect(warnings.some(([details]) => 'event' in details && details.event === 'log_replaced')).toBe(true);
  });

  it('queues records while the folder is missing, and stores them afterwards', async () => {
    settings.DATA_DIR = join(folder, 'data');
    await writeFile(settings.DATA_DIR, 'in the way');
    const store = await open();
    store.put(stored(entry('a'), 1));
    await eventually(PATIENCE_MS, () => expect(store.stats().isHealthy).toBe(false));
    expect(await ids(store)).toEqual(['a']);
    expect((await store.find('a'))?.network).toEqual([]);
    await rm(settings.DATA_DIR);
    await eventually(PATIENCE_MS, () =>
      expect(store.stats()).toMatchObject({ isHealthy: true, entries: 1, dropped: 0 }),
    );
    expect(warnings.map(([details]) => details)).toEqual([
      { event: 'log_degraded', detail: expect.any(String) },
      { event: 'log_recovered', dropped: 0 },
    ]);
  });

  it.each(['stored', 'queued'])(
    'finds %s records by span, duration, client and attempt, also those that lead a ranking',
    async (where) => {
      const usage = (promptTokens: number, completionTokens: number) => ({
        promptTokens,
        completionTokens,
        reasoningTokens: 0,
        cachedTokens: 0,
      });
      const at = (minute: number): number => NOON + minute * 60_000;
      const attempt = { startedMs: 0, durationMs: 5, outcome: 'first_byte_timeout', detail: 'Nothing came.' };
      const records = [
        entry('a', { startedAt: at(0), totalMs: 900, client: 'curl/8.5.0', usage: usage(1, 20) }),
        entry('b', { startedAt: at(1), totalMs: 30, client: 'OpenAI/JS', queuedMs: 40, attempts: [attempt] }),
        entry('c', { startedAt: at(2), totalMs: 500, excerpt: '"client":"curl', usage: usage(20, 2) }),
        entry('d', { startedAt: at(3), outcome: 'pending', totalMs: undefined }),
      ].map((record, number) => stored(record, number + 1));
      if (where === 'stored') {
        leave(records);
      }
      const store = await open();
      if (where === 'queued') {
        records.forEach((record) => store.put(record));
      } else {
        await settled(store);
      }
      const found = async (filter: LogFilter): Promise<string> =>
        (await store.page(filter)).texts.map((text) => (JSON.parse(text) as { id: string }).id).join('');
      expect(await found({ from: at(1), until: at(3) })).toBe('cb');
      expect(await found({ lasts: { ms: 500, since: 0 } })).toBe('ca');
      expect(await found({ client: 'curl' })).toBe('a');
      expect(await found({ client: 'OpenAI/J' })).toBe('b');
      for (const q of ['first byte timeout', 'FIRST_byte', 'nothing came', 'openai/js']) {
        expect([q, await found({ q })]).toEqual([q, 'b']);
      }
      expect(await found({ sort: 'slowest', limit: 2 })).toBe('ac');
      expect(await found({ sort: 'slowest', until: at(2) })).toBe('ab');
      expect([await found({ sort: 'largest' }), await found({ sort: 'waited' })]).toEqual(['cadb', 'bacd']);
    },
  );

  it('F23: answers fast with 100,000 entries', async () => {
    const content = {
      messages: [{ role: 'user', content: 'a question '.repeat(40) }],
      reasoning: '',
      answer: 'well '.repeat(100),
    };
    const spacingMs = (24 * HOUR_MS) / 100_000;
    const at = (index: number): number => NOON + Math.floor(index * spacingMs);
    for (let from = 0; from < 100_000; from += 5000) {
      leave(
        Array.from({ length: 5000 }, (_, index) =>
          stored(
            entry(`req_${from + index}`, {
              startedAt: at(from + index),
              outcome: index % 50 === 0 ? 'upstream_error' : 'ok',
              totalMs: index % 1000,
              firstTokenMs: index % 100,
              usage: { promptTokens: 10, completionTokens: 2, reasoningTokens: 0, cachedTokens: 0 },
              content,
            }),
            from + index,
          ),
        ),
      );
    }
    const store = await open();
    await ids(store, 1);
    const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      const began = performance.now();
      const result = await work();
      return [result, performance.now() - began];
    };
    const [page, pageMs] = await timed(() => store.page({ limit: 50, withTexts: true }));
    expect(page.texts).toHaveLength(50);
    const [{ whole, buckets }, seriesMs] = await timed(() =>
      store.series({ fromMs: NOON, toMs: NOON + 24 * HOUR_MS, bucketMs: HOUR_MS / 4 }),
    );
    expect(buckets).toHaveLength(96);
    expect([whole.outcomes.ok, whole.completionTokens]).toEqual([98_000, 200_000]);
    expect(buckets.reduce((sum, { outcomes }) => sum + (outcomes.ok ?? 0), 0)).toBe(98_000);
    expect(buckets.reduce((sum, { completionTokens }) => sum + completionTokens, 0)).toBe(200_000);
    const [failed, failedMs] = await timed(() => store.page({ level: 'error', limit: 50 }));
    expect(failed.texts).toHaveLength(50);
    const [none, searchMs] = await timed(() => store.page({ q: 'nowhere to be found' }));
    expect(none.texts).toEqual([]);
    const [byClient, clientMs] = await timed(() => store.page({ client: 'nobody' }));
    expect(byClient.texts).toEqual([]);
    // A page is what could be read in time, which on a busy machine is less than all.
    const slowMs = await eventually(PATIENCE_MS, async () => {
      const [slow, tookMs] = await timed(() => store.page({ sort: 'slowest', limit: 50 }));
      const totals = slow.texts.map((text) => (JSON.parse(text) as { totalMs: number }).totalMs);
      expect(totals).toEqual(Array.from({ length: 50 }, () => 999));
      return tookMs;
    });
    const [found, findMs] = await timed(() => store.find('req_77'));
    expect(found?.network).toEqual([]);
    process.stdout.write(
      `100,000 entries: first page ${pageMs.toFixed(0)} ms, series ${seriesMs.toFixed(0)} ms, ` +
        `by level ${failedMs.toFixed(0)} ms, text ${searchMs.toFixed(0)} ms, ` +
        `by client ${clientMs.toFixed(0)} ms, slowest ${slowMs.toFixed(0)} ms, by id ${findMs.toFixed(0)} ms\n`,
    );
    await processPace.expectWithin(pageMs, 200);
    await processPace.expectWithin(seriesMs, 1500);
    await processPace.expectWithin(searchMs, 3000);
    await processPace.expectWithin(clientMs, 1500);
    await processPace.expectWithin(slowMs, 1500);
  });
});
