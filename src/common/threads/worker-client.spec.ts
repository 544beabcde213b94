import { afterEach, describe, expect, it } from '@jest/globals';
import { WorkerCallError, WorkerClient } from './worker-client.js';

const READER = new URL('../../logs/store/reader.worker', import.meta.url);

describe('WorkerClient', () => {
  let client: WorkerClient;

  afterEach(() => client.end());

  it('rejects a call when no thread can be started', async () => {
    const uncloneable = { path: (): void => undefined };
    client = new WorkerClient(READER, uncloneable);
    await expect(client.call('page')).rejects.toBeInstanceOf(WorkerCallError);
    await expect(client.callWithin(1000, 'page')).rejects.toBeInstanceOf(WorkerCallError);
  });

  it('starts the thread whatever V8 options the process has', async () => {
    process.execArgv.push('--max-old-space-size=500');
    try {
      client = new WorkerClient(READER, { path: '/nowhere/logs.db' });
      await expect(client.call('close')).resolves.toBeUndefined();
    } finally {
      process.execArgv.pop();
    }
  });

  it('rejects a call when the thread dies at once', async () => {
    client = new WorkerClient(new URL('./no-such.worker', import.meta.url), {});
    await expect(client.call('page')).rejects.toBeInstanceOf(WorkerCallError);
  });
});
