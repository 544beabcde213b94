import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Settings } from '../../src/common/config/settings.js';
import { WorkerCallError } from '../../src/common/threads/worker-client.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { LogStore } from '../../src/logs/store/log-store.js';
import { entry, stored } from '../support/gateway/log-records.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

describe('the stored log', () => {
  let folder: string;
  let warnings: object[];
  let stores: LogStore[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-file-lost-'));
    warnings = [];
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(folder, { recursive: true });
  });

  async function open(): Promise<LogStore> {
    const settings = Object.assign(new Settings(), { DATA_DIR: folder, LOG_RETENTION_DAYS: 36_500 });
    const store = new LogStore(settings, new SystemClock(), (details) => warnings.push(details));
    stores.push(store);
    await store.open();
    return store;
  }

  /** Waits until the file has so many records. */
  const entries = (store: LogStore, count: number): Promise<void> =>
    eventually(PATIENCE_MS, () => expect(store.stats().entries).toBe(count));

  async function read(store: LogStore): Promise<{ id: string; outcome: string }[]> {
    const { texts } = await store.page({});
    return texts.map((text) => {
      const { id, outcome } = JSON.parse(text) as { id: string; outcome: string };
      return { id, outcome };
    });
  }

  it('goes on in a new file where its own was removed, and says so', async () => {
    const store = await open();
    store.put(stored(entry('lost'), 1));
    await entries(store, 1);
    await rm(join(folder, 'logs.db'));
    store.put(stored(entry('kept'), 2));
    await eventually(PATIENCE_MS, () => expect(warnings).toEqual([{ event: 'log_replaced' }]));
    const kept = [{ id: 'kept', outcome: 'ok' }];
    expect([store.stats().entries, await read(store)]).toEqual([1, kept]);
    await store.close();
    expect(await read(await open())).toEqual(kept);
  });

  it('says to whoever reads that it cannot be read, as long as it does not know that it cannot be written', async () => {
    const store = await open();
    // A file that is away may be begun anew before it is read.
    jest
      .spyOn(store['reader'], 'callWithin')
      .mockRejectedValue(new WorkerCallError('unable to open the file'));
    await expect(store.page({})).rejects.toMatchObject({
      code: 'internal_error',
      reason: 'local_resources',
      message: 'Internal server error: the log cannot be read at present.',
    });
  });

  it('leaves what is under way as it is where another thread takes the place of one that died', async () => {
    const store = await open();
    store.put(stored(entry('running', { outcome: 'pending' }), 1));
    await entries(store, 1);
    await store['writer'].end();
    store.put(stored(entry('done'), 2));
    await entries(store, 2);
    expect(await read(store)).toEqual([
      { id: 'done', outcome: 'ok' },
      { id: 'running', outcome: 'pending' },
    ]);
  });
});
