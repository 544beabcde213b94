import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { WorkerCallError, WorkerClient } from './worker-client.js';

const READER = new URL('../../logs/store/reader.worker', import.meta.url);

/** The client adds an extension, which the comment takes. */
const TELLS_ITS_NUMBER = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ id }) => parentPort.postMessage({ id, result: threadId })); //`,
  )}`,
);

const ANSWERS_THE_THIRD_CALL = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { parentPort, threadId } from 'node:worker_threads';
    const ids = [];
    parentPort.on('message', ({ id }) => {
      if (ids.push(id) === 3) {
        ids.forEach((each) => parentPort.postMessage({ id: each, result: threadId }));
      }
    }); //`,
  )}`,
);

const READS_A_FILE = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { readFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ argument }) => readFileSync(argument, 'utf8')); //`,
  )}`,
);

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

  it('moves blocks of memory to the thread', async () => {
    client = new WorkerClient(TELLS_ITS_NUMBER, {});
    const block = new ArrayBuffer(8);
    await client.call('number', { block }, [block]);
    expect(block.detached).toBe(true);
  });

  it('gives up an answer that takes too long, and lets the thread go on', async () => {
    client = new WorkerClient(ANSWERS_THE_THIRD_CALL, {});
    const first = client.call('number');
    await expect(client.callOrLeave(1, 'number')).rejects.toThrow('It does not answer in time.');
    const third = await client.callOrLeave(PATIENCE_MS, 'number');
    await expect(first).resolves.toBe(third);
  });

  it('tells of a thread that does not end, since a call of its own to the system hangs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'worker-client-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    client = new WorkerClient(READS_A_FILE, {});
    const reading = client.call('read', pipe).catch((error: unknown) => error);
    // A pipe can be opened so only once somebody reads.
    const writer = await eventually(PATIENCE_MS, () =>
      openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK),
    );
    const ended = client.end();
    expect(await reading).toBeInstanceOf(WorkerCallError);
    expect(WorkerClient.isAnyEnding).toBe(true);
    closeSync(writer);
    await ended;
    expect(WorkerClient.isAnyEnding).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('ends a thread that nobody calls, and starts another at the next call', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      client = new WorkerClient(TELLS_ITS_NUMBER, {}, 10_000);
      const first = await client.call('number');
      jest.advanceTimersByTime(9999);
      await expect(client.call('number')).resolves.toBe(first);
      jest.advanceTimersByTime(9999);
      await expect(client.call('number')).resolves.toBe(first);
      jest.advanceTimersByTime(10_000);
      await expect(client.call('number')).resolves.not.toBe(first);
    } finally {
      jest.useRealTimers();
    }
  });

  it('waits at its end for a thread that was ended since nobody called it', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      client = new WorkerClient(TELLS_ITS_NUMBER, {}, 10_000);
      await client.call('number');
      jest.advanceTimersByTime(10_000);
      expect(WorkerClient.isAnyEnding).toBe(true);
      await client.end();
      expect(WorkerClient.isAnyEnding).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets a thread live while it works', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      client = new WorkerClient(TELLS_ITS_NUMBER, {}, 10_000);
      const first = await client.call('number');
      const second = client.call('number');
      jest.advanceTimersByTime(20_000);
      await expect(second).resolves.toBe(first);
    } finally {
      jest.useRealTimers();
    }
  });
});
