import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTestDatabase } from '../../../test/support/postgres/postgres-server.js';
import { storedTexts, textsOf } from '../../../test/support/responses/stored-texts.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { SharedChanges } from '../../cluster/shared-changes.js';
import { Settings } from '../../common/config/settings.js';
import { PgDatabase } from '../../common/store/pg-database.js';
import { SystemClock } from '../../common/time/clock.js';
import { PgResponseStore } from './pg-response-store.js';
import { PgResponseTable } from './pg-response-table.js';
import { type ResponseRecord, type TextKey } from './response-record.js';
import { SqliteResponseStore } from './sqlite-response-store.js';

const DAY_MS = 86_400_000;
const clock = new SystemClock();
const NOW = clock.now();

interface Opened {
  readonly store: SqliteResponseStore | PgResponseStore;
  close(): Promise<void>;
}

async function openSqlite(settings: Settings): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const store = new SqliteResponseStore(Object.assign(settings, { DATA_DIR: folder }), clock);
  return {
    store,
    close: async () => {
      await store.onApplicationShutdown();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openPostgres(settings: Settings): Promise<Opened> {
  const made = await createTestDatabase();
  const database = await PgDatabase.open(made.url);
  const nodeLeaseMs = 600_000;
  const store = new PgResponseStore(settings, clock, {
    table: new PgResponseTable(database.connectionOptions, { node: 'here', nodeLeaseMs }),
    changes: new SharedChanges(undefined, () => 0),
    nodeLeaseMs,
    // No other node is about to write what is looked for.
    lookAgainMs: [],
  });
  return {
    store,
    close: async () => {
      await store.onApplicationShutdown();
      await database.close();
      await made.drop();
    },
  };
}

function record(id: string, fields: Partial<ResponseRecord> = {}): ResponseRecord {
  return {
    id,
    owner: 'ann',
    createdAt: NOW,
    previous: null,
    status: 'completed',
    body: `{"id":"${id}","status":"completed","error":null}`,
    input: '[]',
    events: null,
    ...fields,
  };
}

const RUNNING = { status: 'in_progress', body: '{"status":"in_progress"}', events: 'x' } as const;

describe.each([
  ['SqliteResponseStore', openSqlite],
  ['PgResponseStore', openPostgres],
])('%s', (_name, open) => {
  let settings: Settings;
  let opened: Opened;
  let store: Opened['store'];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    settings = new Settings();
    opened = await open(settings);
    ({ store } = opened);
  });

  afterEach(() => opened.close());

  const find = (id: string, owner = 'ann') => storedTexts(store, { id, owner });
  const kept = async (...ids: string[]): Promise<string[]> => {
    const found = await Promise.all(ids.map((id) => find(id)));
    return ids.filter((_, at) => found[at]);
  };

  it('reads what was written just before, whatever is in it', async () => {
    const odd = record('a', { input: JSON.stringify(['\u0000', '\ud800', 'é𝄞']), createdAt: NOW - 5 });
    void store.put(odd);
    expect(await find('a')).toEqual(textsOf(odd));
    expect(await find('a\u0000')).toBeUndefined();
  });

  it('keeps a response for its owner alone', async () => {
    await store.put(record('a'));
    expect(await find('a', 'bob')).toBeUndefined();
    expect(await store.chain({ id: 'a', owner: 'bob', maxLength: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(await store.remove({ id: 'a', owner: 'bob' })).toBe(false);
    expect(await store.remove({ id: 'a', owner: 'ann' })).toBe(true);
    expect(await store.remove({ id: 'a', owner: 'ann' })).toBe(false);
    expect(await find('a')).toBeUndefined();
  });

  it('reads one text, and of one that is too long its length alone', async () => {
    await store.put(record('a', { input: '["input"]' }));
    const read = (column: TextKey['column'], maxLength: number) =>
      store.read({ id: 'a', owner: 'ann', column, maxLength });
    const length = 9;
    // What waits to be written is read as well.
    for (const isWritten of [false, true]) {
      expect(await read('input', length)).toMatchObject({ hasEvents: false, length, text: '["input"]' });
      expect(await read('input', length - 1)).toMatchObject({ status: 'completed', length, text: null });
      expect(await read('events', 0)).toMatchObject({ hasEvents: false, length: 0, text: null });
      if (!isWritten) {
        await store.put(record('b', RUNNING));
      }
    }
    expect(await store.read({ id: 'b', owner: 'ann', column: 'events', maxLength: 0 })).toMatchObject({
      hasEvents: true,
      length: 1,
      text: null,
    });
  });

  it('replaces a response that is under way by its end, unless it was deleted', async () => {
    await store.put(record('a', RUNNING));
    expect(await find('a')).toMatchObject(RUNNING);
    const end = record('a', { events: 'xyz' });
    await store.put(end);
    expect(await find('a')).toEqual(textsOf(end));
  });

  it('finds a conversation from its beginning, as far as it is there', async () => {
    await store.put(record('a', { input: '["a"]' }));
    await store.put(record('b', { previous: 'a' }));
    await store.put(record('c', { previous: 'b' }));
    const chain = () => store.chain({ id: 'c', owner: 'ann', maxLength: Number.MAX_SAFE_INTEGER });
    expect((await chain()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const { id, previous, status, body, input } = record('a', { input: '["a"]' });
    expect((await chain())[0]).toMatchObject({ id, previous, status, body, input });
    await store.remove({ id: 'a', owner: 'ann' });
    expect((await chain()).map((step) => [step.id, step.previous])).toEqual([
      ['b', 'a'],
      ['c', 'b'],
    ]);
  });

  it('deletes what is too old', async () => {
    settings.RESPONSE_MAX_BYTES = 1000;
    settings.RESPONSE_RETENTION_DAYS = 2;
    await store.put(record('a', { createdAt: NOW - 3 * DAY_MS }));
    await store.put(record('b', { createdAt: NOW - DAY_MS }));
    await store.put(record('c', { input: `["${'x'.repeat(60)}"]` }));
    await eventually(PATIENCE_MS, async () => expect(await kept('a', 'b', 'c')).toEqual(['b', 'c']));
  });

  it('deletes what is too old without a new one', async () => {
    await store.put(record('a', { createdAt: NOW - 3 * DAY_MS }));
    await store.put(record('b'));
    // What waits to be written is not yet there to be deleted.
    const left = (...ids: readonly string[]) =>
      eventually(PATIENCE_MS, async () => {
        await store.onApplicationBootstrap();
        expect(await kept('a', 'b')).toEqual(ids);
      });
    settings.RESPONSE_RETENTION_DAYS = 2;
    await left('b');
    settings.RESPONSE_MAX_BYTES = 0;
    await left();
  });

  it('reads no further back than the limit of their texts', async () => {
    const input = `["${'é𝄞'.repeat(200)}"]`;
    await store.put(record('a', { input }));
    await store.put(record('b', { input, previous: 'a' }));
    await store.put(record('c', { previous: 'b' }));
    const ids = async (maxLength: number) =>
      (await store.chain({ id: 'c', owner: 'ann', maxLength })).map(({ id }) => id);
    // What waits to be written is read whole.
    await eventually(PATIENCE_MS, async () => expect(await ids(10)).toEqual(['c']));
    expect(await Promise.all([ids(400), ids(1000), ids(2000)])).toEqual([
      ['b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    const length = (id: string, maxLength: number) => store.chainLength({ id, owner: 'ann', maxLength });
    const bodyLength = record('a').body.length;
    expect(
      await Promise.all([length('c', 10), length('c', 400), length('c', 1000), length('x', 10)]),
    ).toEqual([bodyLength + 2, 2 * bodyLength + 406, 3 * bodyLength + 810, 0]);
  });

  it('deletes the oldest of what is too much, but nothing that is under way', async () => {
    settings.RESPONSE_MAX_BYTES = 5500;
    const input = 'x'.repeat(1000);
    await store.put(record('running', { ...RUNNING, input, createdAt: NOW - 1000 }));
    for (let at = 0; at < 30; at++) {
      await store.put(record(`r${at}`, { createdAt: NOW - 500 + at, input }));
    }
    const all = Array.from({ length: 30 }, (_, at) => `r${at}`);
    await eventually(PATIENCE_MS, async () =>
      expect(await kept('running', ...all)).toEqual(['running', 'r26', 'r27', 'r28', 'r29']),
    );
  });

  it('makes room at the cost of whoever has the most', async () => {
    settings.RESPONSE_MAX_BYTES = 10_500;
    const input = 'x'.repeat(1000);
    const put = (id: string, owner: string, at: number) =>
      store.put(record(id, { owner, input, createdAt: NOW - 1000 + at }));
    await put('b0', 'bob', 0);
    await put('b1', 'bob', 1);
    for (let at = 0; at < 30; at++) {
      await put(`r${at}`, 'ann', 2 + at);
    }
    const left = async (owner: string, ids: readonly string[]) => {
      const found = await Promise.all(ids.map((id) => find(id, owner)));
      return ids.filter((_, at) => found[at]);
    };
    await eventually(PATIENCE_MS, async () => {
      await store.onApplicationBootstrap();
      expect(await left('ann', ['r0', 'r21', 'r22', 'r29'])).toEqual(['r22', 'r29']);
    });
    expect(await left('bob', ['b0', 'b1'])).toEqual(['b0', 'b1']);
  });

  it('is off without room', () => {
    expect(store.isOn).toBe(true);
    settings.RESPONSE_MAX_BYTES = 0;
    expect(store.isOn).toBe(false);
  });
});
