import { mkdir, mkdtemp, open as openFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { storedTexts, textsOf } from '../../../test/support/responses/stored-texts.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { Settings } from '../../common/config/settings.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { SystemClock } from '../../common/time/clock.js';
import { type ResponseRecord } from './response-record.js';
import { SqliteResponseStore } from './sqlite-response-store.js';

/** Overwrites the page by which a response is found by its id. */
async function damageIndex(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  const { page = 0, size = 0 } = database
    .prepare(
      `SELECT rootpage AS page, page_size AS size FROM sqlite_schema, pragma_page_size
       WHERE name LIKE 'sqlite_autoindex_responses%'`,
    )
    .get() as { page?: number; size?: number };
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const file = await openFile(path, 'r+');
  await file.write(Buffer.alloc(size, 'Z'), 0, size, (page - 1) * size);
  await file.close();
}

describe('SqliteResponseStore', () => {
  let folder: string;
  let stores: SqliteResponseStore[];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    folder = await mkdtemp(join(tmpdir(), 'responses-'));
    stores = [];
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.onApplicationShutdown()));
    await rm(folder, { recursive: true, force: true });
  });

  async function open(changes: Partial<Settings> = {}): Promise<SqliteResponseStore> {
    const settings = Object.assign(new Settings(), { DATA_DIR: folder, ...changes });
    const store = new SqliteResponseStore(settings, new SystemClock());
    stores.push(store);
    await store.onApplicationBootstrap();
    return store;
  }

  const record: ResponseRecord = {
    id: 'resp_1',
    owner: '',
    createdAt: Date.now(),
    previous: null,
    status: 'queued',
    body: '{"status":"queued"}',
    input: '[]',
    events: '',
  };
  const key = { id: 'resp_1', owner: '' };

  it('reads what was written just before', async () => {
    const store = await open();
    void store.put(record);
    expect(await storedTexts(store, key)).toEqual(textsOf(record));
    expect(await store.chain({ ...key, maxLength: Number.MAX_SAFE_INTEGER })).toHaveLength(1);
    expect(await store.remove(key)).toBe(true);
    expect(await storedTexts(store, key)).toBeUndefined();
  });

  it('ends at the next start what was under way', async () => {
    const before = await open();
    await before.put(record);
    await before.onApplicationShutdown();
    expect(await storedTexts(await open(), key)).toMatchObject({ status: 'failed' });
  });

  it('writes no file before there is something to keep', async () => {
    const store = await open();
    await store.onApplicationShutdown();
    expect(await readdir(folder)).toEqual([]);
  });

  it('quarantines a file that cannot be used', async () => {
    await writeFile(join(folder, 'responses.db'), 'x'.repeat(5000));
    const store = await open();
    await store.put(record);
    expect(await storedTexts(store, key)).toEqual(textsOf(record));
    expect((await readdir(folder)).some((name) => name.startsWith('responses.db.corrupt-'))).toBe(true);
  });

  it('quarantines a file whose damage shows only later', async () => {
    const before = await open();
    await before.put(record);
    await before.onApplicationShutdown();
    await damageIndex(join(folder, 'responses.db'));
    const store = await open();
    await expect(storedTexts(store, key)).rejects.toBeInstanceOf(InternalError);
    expect(await storedTexts(store, key)).toBeUndefined();
    await store.put(record);
    expect(await storedTexts(store, key)).toEqual(textsOf(record));
    expect((await readdir(folder)).some((name) => name.startsWith('responses.db.corrupt-'))).toBe(true);
  });

  it('begins a new file where its own was removed', async () => {
    const store = await open();
    await store.put(record);
    await rm(join(folder, 'responses.db'));
    await expect(store.put({ ...record, id: 'resp_2' })).rejects.toThrow(InternalError);
    await store.put({ ...record, id: 'resp_2' });
    const again = await open();
    expect(await again.chain({ ...key, id: 'resp_2', maxLength: 1000 })).toHaveLength(1);
  });

  it('deletes files that were quarantined long ago', async () => {
    const first = await open();
    await first.put(record);
    await first.onApplicationShutdown();
    const old = 'responses.db.corrupt-2020-01-01T00-00-00-000Z';
    await writeFile(join(folder, old), 'x');
    const second = await open();
    // Calls are dealt with in their order.
    await storedTexts(second, key);
    expect(await readdir(folder)).not.toContain(old);
  });

  it('deletes all that a lowered limit leaves no room for, though the start waits for none of it', async () => {
    const first = await open();
    const ended: ResponseRecord = { ...record, status: 'completed' };
    for (let at = 0; at < 2500; at++) {
      await first.put({ ...ended, id: `resp_${at}` });
    }
    await first.onApplicationShutdown();
    const second = await open({ RESPONSE_MAX_BYTES: 1 });
    const left = () => second.read({ ...key, id: 'resp_2499', column: 'body', maxLength: 0 });
    expect(await left()).toBeDefined();
    await eventually(PATIENCE_MS, async () => expect(await left()).toBeUndefined());
  });

  it('says that it cannot be used', async () => {
    const store = await open({ DATA_DIR: join(folder, 'nowhere') });
    await expect(store.put(record)).rejects.toBeInstanceOf(InternalError);
  });

  it('keeps what ended while it could not be written, and stores it later', async () => {
    const store = await open({ DATA_DIR: join(folder, 'later') });
    const ended: ResponseRecord = { ...record, status: 'completed', body: '{}', events: null };
    const next = { ...ended, id: 'resp_2', previous: 'resp_1' };
    await store.put(ended);
    await store.put(next);
    // It has failed by now, since calls are dealt with in their order.
    await expect(storedTexts(store, { ...key, id: 'resp_3' })).rejects.toBeInstanceOf(InternalError);
    expect(await storedTexts(store, key)).toEqual(textsOf(ended));
    expect(await storedTexts(store, { ...key, owner: 'bob' }).catch(() => undefined)).toBeUndefined();
    const steps = await store.chain({ ...key, id: 'resp_2', maxLength: Number.MAX_SAFE_INTEGER });
    expect(steps.map(({ id }) => id)).toEqual(['resp_1', 'resp_2']);
    await mkdir(join(folder, 'later'), { mode: 0o700 });
    await store.onApplicationShutdown();
    expect(await storedTexts(await open({ DATA_DIR: join(folder, 'later') }), key)).toEqual(textsOf(ended));
  });

  it('finds what cannot be written, also by a read that was asked for before that was known', async () => {
    const store = await open();
    await store.put({ ...record, id: 'resp_0' });
    // Reads go on, and each insertion fails.
    const database = new DatabaseSync(join(folder, 'responses.db'));
    database.exec(`CREATE TRIGGER broken BEFORE INSERT ON responses BEGIN SELECT json('}'); END`);
    database.close();
    const ended: ResponseRecord = { ...record, status: 'completed', events: null };
    void store.put(ended);
    expect(await store.read({ ...key, column: 'body', maxLength: 1000 })).toMatchObject({ text: ended.body });
    void store.put({ ...ended, id: 'resp_2', previous: 'resp_1' });
    expect(await store.chain({ ...key, id: 'resp_2', maxLength: 1000 })).toHaveLength(2);
  });

  it('gives up what SQLite refuses, and stores what waits behind it', async () => {
    const store = await open();
    const ended: ResponseRecord = { ...record, status: 'completed' };
    // A constraint, which SQLite tells by an extended code.
    await store.put({ ...ended, status: null as unknown as 'completed' });
    await store.put({ ...ended, id: 'resp_2' });
    await store.onApplicationShutdown();
    expect(await storedTexts(await open(), { ...key, id: 'resp_2' })).toEqual(textsOf(ended));
  });

  it('is off without room', async () => {
    expect([(await open()).isOn, (await open({ RESPONSE_MAX_BYTES: 0 })).isOn]).toEqual([true, false]);
  });
});
