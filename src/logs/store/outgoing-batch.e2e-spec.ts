import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entry, stored } from '../../../test/support/gateway/log-records.js';
import { Settings } from '../../common/config/settings.js';
import { SystemClock } from '../../common/time/clock.js';
import { decodeRecords } from '../outbox/encoded-records.js';
import { type Outgoing } from '../outbox/outgoing-records.js';
import { LogStore } from './log-store.js';

describe('a batch to ship from the store', () => {
  let folder: string;
  let store: LogStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outgoing-batch-'));
    await open();
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const open = async (): Promise<void> => {
    // Nothing connects to the database: that it is set has the file note what is to be shipped.
    const settings = Object.assign(new Settings(), {
      DATA_DIR: folder,
      DATABASE_URL: 'postgres://localhost',
      LOG_RETENTION_DAYS: 36_500,
    });
    store = new LogStore(settings, new SystemClock(), () => undefined);
    await store.open();
    await store.flush();
  };
  const ids = (batch: Outgoing | undefined): string[] =>
    (batch?.records ? decodeRecords(batch.records.arrays) : []).map(
      ({ brief }) => (JSON.parse(brief) as { id: string }).id,
    );
  const storedIds = async (): Promise<string[]> =>
    (await store.page({ limit: 10, withTexts: false })).texts.map(
      (text) => (JSON.parse(text) as { id: string }).id,
    );

  it('holds what a write brings to the file that was due when it was asked for', async () => {
    store.put(stored(entry('a'), 0));
    const first = await store.outgoing(0);
    expect(ids(first)).toEqual(['a']);
    await store.flush();
    store.put(stored(entry('b'), 1));
    const second = await store.outgoing(0, { last: first?.last ?? 0, usage: [] });
    expect(ids(second)).toEqual(['b']);
    expect(await storedIds()).toEqual(['b', 'a']);
  });

  it('is taken at once where no write is due', async () => {
    store.put(stored(entry('a'), 0));
    await store.flush();
    expect(ids(await store.outgoing(0))).toEqual(['a']);
    expect(ids(await store.outgoing(0, { last: Number.MAX_SAFE_INTEGER, usage: [] }))).toEqual([]);
  });

  it('fails alone where the write works', async () => {
    store.put(stored(entry('a'), 0));
    await store.close();
    const file = new DatabaseSync(join(folder, 'logs.db'));
    file.exec("UPDATE outbox_rows SET seqs = 'spoilt'");
    file.close();
    await open();
    store.put(stored(entry('b'), 1));
    await expect(store.outgoing(0)).rejects.toThrow('malformed JSON');
    expect(await storedIds()).toEqual(['b', 'a']);
  });
});
