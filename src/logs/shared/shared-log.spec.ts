import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Settings } from '../../common/config/settings.js';
import { type SharedOutage } from '../../common/logging/shared-outage.js';
import { WorkerCallError } from '../../common/threads/worker-client.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogStore } from '../store/log-store.js';
import { SharedLog, type SharedLogOptions } from './shared-log.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('says once that the log of the others cannot be read, though some reads succeed, and once that it can again', async () => {
  const warnings: object[] = [];
  const own = { startMs: 0 };
  const options: Partial<SharedLogOptions> = {
    store: { flush: () => Promise.resolve(), series: () => Promise.resolve(own) } as unknown as LogStore,
    settings: new Settings(),
    clock: new SystemClock(),
    warn: (details) => warnings.push(details),
  };
  const log = new SharedLog(options as SharedLogOptions);
  const callOrLeave = jest.fn<() => Promise<unknown>>();
  const shipper = { hasFailed: false, catchUp: () => Promise.resolve() };
  Object.assign(log, { started: { node: 'a', worker: { callOrLeave }, shipper } });
  const read = (): Promise<unknown> => log.series({ fromMs: 0, toMs: 1, bucketMs: 1 });
  for (let turn = 0; turn < 3; turn++) {
    callOrLeave.mockRejectedValueOnce(new WorkerCallError('remaining connection slots are reserved'));
    expect(await read()).toBe(own);
    callOrLeave.mockResolvedValueOnce('shared');
    expect(await read()).toBe('shared');
    jest.advanceTimersByTime(1000);
  }
  expect(warnings).toEqual([
    { event: 'log_shared_unreadable', detail: 'remaining connection slots are reserved' },
  ]);
  jest.advanceTimersByTime(4000);
  expect(warnings.slice(1)).toEqual([{ event: 'log_shared_readable' }]);
});

it.each([
  ['cannot be written though the database answers', true, false, true],
  ['waits for a database that is away as a whole', true, true, false],
  ['is written', false, false, false],
])('has failed or not where the shared log %s', (_, hasFailed, isOngoing, expected) => {
  const outage = { isOngoing } as SharedOutage;
  const log = new SharedLog({ outage } as SharedLogOptions);
  expect(log.hasFailed).toBe(false);
  Object.assign(log, { started: { shipper: { hasFailed } } });
  expect(log.hasFailed).toBe(expected);
});
