import { afterEach, describe, expect, it } from '@jest/globals';
import { WorkerCallError, WorkerClient } from './worker-client.js';

describe('WorkerClient', () => {
  let calls: WorkerClient;

  afterEach(() => calls.end());

  it('reject where no thread can be started', async () => {
    const uncloneable = { path: (): void => undefined };
    calls = new WorkerClient('reader.worker', uncloneable);
    await expect(calls.call('page')).rejects.toBeInstanceOf(WorkerCallError);
    await expect(calls.callWithin(1000, 'page')).rejects.toBeInstanceOf(WorkerCallError);
  });

  it('reject where the thread ends at once', async () => {
    calls = new WorkerClient('no-such.worker', {});
    await expect(calls.call('page')).rejects.toBeInstanceOf(WorkerCallError);
  });
});
