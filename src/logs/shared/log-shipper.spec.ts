import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SharedOutage } from '../../common/logging/shared-outage.js';
import { isDatabaseAway } from '../../common/store/database-away.js';
import { WorkerCallError, type WorkerClient } from '../../common/threads/worker-client.js';
import { SystemClock } from '../../common/time/clock.js';
import { encodeRecords } from '../outbox/encoded-records.js';
import { type ShippedMarks } from '../outbox/outbox.js';
import { type Outgoing } from '../outbox/outgoing-records.js';
import { type LogStore } from '../store/log-store.js';
import { LogShipper } from './log-shipper.js';
import { type ShipmentReport } from './record-shipment.js';

const usage = { source: '', rows: [], numbers: [], isLast: true };
const EMPTY: Outgoing = { records: undefined, removed: [], last: 0, isLast: true, usage };
const BATCH: Outgoing = {
  ...EMPTY,
  records: { days: [], arrays: encodeRecords([]) },
  last: 7,
};

describe('LogShipper', () => {
  let shipper: LogShipper;
  /** Of the file, one for each time that it is asked; then it is empty. */
  let batches: (Outgoing | undefined)[];
  let written: (characters?: number) => void;
  let isFollowed: boolean;
  const works = (_limitMs: number, name: string): Promise<ShipmentReport | undefined> =>
    Promise.resolve(name === 'ship' ? { rejected: 0, isFollowed } : undefined);
  const call = jest.fn(works);
  let warned: unknown[];
  const outgoing = jest.fn((_firstDay: number, _shipped?: ShippedMarks) =>
    Promise.resolve(batches.length > 0 ? batches.shift() : EMPTY),
  );
  const noteShipped = jest.fn(() => Promise.resolve());

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    jest.clearAllMocks();
    call.mockImplementation(works);
    batches = [];
    isFollowed = true;
    warned = [];
    const store = {
      outgoing,
      noteShipped,
      onWritten: (listener: (characters: number) => void) =>
        (written = (characters = 1000) => listener(characters)),
    };
    shipper = new LogShipper({
      store: store as unknown as LogStore,
      worker: { callWithin: call } as unknown as WorkerClient,
      clock: new SystemClock(),
      limits: () => ({ maxBytes: 1, keepDays: 1 }),
      warn: (details) => warned.push((details as { event: unknown }).event),
      outage: new SharedOutage(isDatabaseAway, {
        begun: () => warned.push('database away'),
        over: () => warned.push('database back'),
      }),
    });
  });
  afterEach(async () => {
    await shipper.close(0);
    jest.useRealTimers();
  });

  const calls = (): string[] => call.mock.calls.map(([, name]) => name);

  it('ships what there is, and rests until something is written', async () => {
    batches = [BATCH];
    shipper.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(calls()).toEqual(['beat', 'ship']);
    expect(shipper.lagMs).toBe(0);
    await jest.advanceTimersByTimeAsync(1000);
    expect(calls()).toEqual(['beat', 'ship']);
    batches = [BATCH];
    written();
    await jest.advanceTimersByTimeAsync(149);
    expect(calls()).toEqual(['beat', 'ship']);
    await jest.advanceTimersByTimeAsync(1);
    expect(calls()).toEqual(['beat', 'ship', 'ship']);
  });

  it('waits for more while nobody follows, and ships at once for whoever begins to', async () => {
    isFollowed = false;
    batches = [BATCH];
    shipper.start();
    await jest.advanceTimersByTimeAsync(0);
    batches = [BATCH];
    written();
    await jest.advanceTimersByTimeAsync(999);
    expect([calls(), shipper.lagMs]).toEqual([['beat', 'ship'], 999]);
    isFollowed = true;
    shipper.followed();
    await jest.advanceTimersByTimeAsync(0);
    expect([calls(), shipper.lagMs]).toEqual([['beat', 'ship', 'ship'], 0]);
    batches = [BATCH];
    written();
    await jest.advanceTimersByTimeAsync(150);
    expect(calls()).toEqual(['beat', 'ship', 'ship', 'ship']);
  });

  it('says once that another gateway runs with a copy of its folder', async () => {
    call.mockImplementation((limitMs, name) =>
      name === 'beat' ? Promise.resolve(true as never) : works(limitMs, name),
    );
    shipper.start();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(calls().filter((name) => name === 'beat').length).toBeGreaterThan(1);
    expect(warned).toEqual(['data_folder_copied']);
  });

  it('waits for no more than a batch holds', async () => {
    isFollowed = false;
    batches = [BATCH];
    shipper.start();
    await jest.advanceTimersByTimeAsync(0);
    batches = [BATCH];
    written(2 ** 20 - 1);
    await jest.advanceTimersByTimeAsync(10);
    expect(calls()).toEqual(['beat', 'ship']);
    written(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(calls()).toEqual(['beat', 'ship', 'ship']);
  });

  it('has the file note what was shipped with the next read, or at the end', async () => {
    const marks = (): unknown[] => outgoing.mock.calls.map(([, shipped]) => shipped);
    const shipped = { last: 7, usage: [] };
    batches = [BATCH];
    shipper.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(marks()).toEqual([undefined]);
    batches = [undefined, BATCH];
    await jest.advanceTimersByTimeAsync(10_000);
    expect(marks()).toEqual([undefined, shipped, shipped]);
    await shipper.close(0);
    expect(noteShipped.mock.calls).toEqual([[shipped]]);
  });

  it('ships while its maintenance fails, and retries that with the next beat', async () => {
    call.mockImplementation((_limitMs, name) =>
      name === 'ship' ? works(0, name) : Promise.reject(new Error('not now')),
    );
    batches = [BATCH];
    shipper.start();
    await jest.advanceTimersByTimeAsync(4999);
    expect([calls(), shipper.hasFailed, shipper.lagMs]).toEqual([['beat', 'ship'], false, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([calls(), warned]).toEqual([['beat', 'ship', 'beat'], ['log_upkeep_failing']]);
    call.mockImplementation(works);
    await jest.advanceTimersByTimeAsync(5000);
    expect(warned).toEqual(['log_upkeep_failing', 'log_upkeep_back']);
  });

  it('tells of limits that it cannot keep once, and of the end once it can', async () => {
    call.mockImplementation((limitMs, name) =>
      name === 'keepLimits' ? Promise.reject(new Error('too slow')) : works(limitMs, name),
    );
    shipper.start();
    await jest.advanceTimersByTimeAsync(180_000);
    const tries = (): number => calls().filter((name) => name === 'keepLimits').length;
    expect([tries(), warned]).toEqual([3, ['log_upkeep_failing']]);
    call.mockImplementation(works);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([tries(), warned]).toEqual([4, ['log_upkeep_failing', 'log_upkeep_back']]);
  });

  it('takes limits that it cannot keep in time for no outage of the database', async () => {
    call.mockImplementation((limitMs, name) =>
      name === 'keepLimits'
        ? Promise.reject(new WorkerCallError('Query read timeout'))
        : works(limitMs, name),
    );
    shipper.start();
    await jest.advanceTimersByTimeAsync(180_000);
    expect([shipper.hasFailed, warned]).toEqual([false, ['log_upkeep_failing']]);
  });

  it('goes on with its beat while the file cannot be used, and is behind until it can', async () => {
    batches = Array.from({ length: 100 }, () => undefined);
    shipper.start();
    await jest.advanceTimersByTimeAsync(11_000);
    expect(calls()).toEqual(['beat', 'beat', 'beat']);
    expect(shipper.lagMs).toBeGreaterThan(0);
    batches = [BATCH];
    await jest.advanceTimersByTimeAsync(150);
    expect([calls().at(-1), shipper.lagMs]).toEqual(['ship', 0]);
  });
});
