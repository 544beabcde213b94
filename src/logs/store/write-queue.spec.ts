import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../common/time/clock.js';
import { type RequestLogEntry } from '../records/request-log-entry.js';
import { type StoredRecord, toStoredRecord } from '../records/stored-record.js';
import { WriteQueue } from './write-queue.js';
import { type WriteReport } from './writer.worker.js';

class TimerClock extends Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }
}

const RETRY_MS = 1000;

/** Stores batches in memory. Can be full, and can block writes. */
class Disk {
  readonly stored = new Map<number, string>();
  isFull = false;
  /** `seq` of records that it never takes. */
  readonly unfit = new Set<number>();
  /** Number of records of a batch that still fit when it is full. */
  room = 0;
  /** Writes after which it still holds more than it may. */
  excess = 0;
  batches: (readonly StoredRecord[])[] = [];
  blocked: PromiseWithResolvers<void> | undefined;

  write = async ({
    records,
    removed,
  }: {
    records: readonly StoredRecord[];
    removed: readonly number[];
  }): Promise<WriteReport> => {
    this.batches.push(records);
    await this.blocked?.promise;
    const fit = this.isFull ? records.slice(0, this.room) : records;
    if (!this.isFull) {
      removed.forEach((seq) => this.stored.delete(seq));
    }
    fit
      .filter(({ seq }) => !this.unfit.has(seq))
      .forEach(({ seq, outcome }) => this.stored.set(seq, outcome));
    return {
      written: fit.length,
      rejected: [...this.unfit].map((seq) => ({ seq, id: `req_${seq}`, reason: 'a value does not fit' })),
      entries: this.stored.size,
      bytes: 0,
      isOverfull: this.excess-- > 0,
      notices: [],
      ...(this.isFull && { failure: 'database or disk is full' }),
    };
  };
}

describe('WriteQueue', () => {
  let disk: Disk;
  let queue: WriteQueue;
  let warnings: object[];

  beforeEach(() => {
    jest.useFakeTimers();
    disk = new Disk();
    warnings = [];
    queue = queueOf(3);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const queueOf = (maxRecords: number): WriteQueue =>
    new WriteQueue({
      write: disk.write,
      clock: new TimerClock(),
      warn: (details) => warnings.push(details),
      maxRecords,
    });
  const record = (seq: number, outcome: RequestLogEntry['outcome'] = 'ok'): StoredRecord =>
    toStoredRecord(
      { kind: 'request', id: `r${seq}`, startedAt: 0, method: 'GET', path: '/', outcome },
      { seq, changed: seq },
    );
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  const put = (...records: StoredRecord[]): void => records.forEach((one) => queue.put(one));
  const waiting = (): string[] => queue.unsaved().map(({ seq, outcome }) => `${seq} ${outcome}`);

  it('writes the records of a window as one batch, each in its latest state', async () => {
    put(record(1, 'pending'), record(2), record(1));
    expect(waiting()).toEqual(['1 ok', '2 ok']);
    await pass(250);
    expect(disk.batches.map((batch) => batch.length)).toEqual([2]);
    expect([...disk.stored]).toEqual([
      [1, 'ok'],
      [2, 'ok'],
    ]);
    expect([waiting(), queue.entries, queue.dropped]).toEqual([[], 2, 0]);
  });

  it('has a full batch not wait', async () => {
    queue = queueOf(1000);
    const records = Array.from({ length: 300 }, (_, seq) => record(seq));
    put(...records.slice(0, 127));
    expect(disk.batches).toEqual([]);
    put(...records.slice(127));
    await pass(1);
    expect(disk.batches.map((batch) => batch.length)).toEqual([128, 172]);
    expect(disk.stored.size).toBe(300);
  });

  it('writes again, if nothing new, until the store holds no more than it may', async () => {
    disk.excess = 2;
    put(record(1));
    await pass(1000);
    expect(disk.batches.map((batch) => batch.length)).toEqual([1, 0, 0]);
  });

  it('writes one batch at a time, and counts records in flight as unsaved', async () => {
    disk.blocked = Promise.withResolvers();
    put(record(1, 'pending'));
    await pass(250);
    put(record(1), record(2));
    await pass(1000);
    expect(disk.batches).toHaveLength(1);
    expect(waiting()).toEqual(['1 ok', '2 ok']);
    disk.blocked.resolve();
    await pass(250);
    expect([...disk.stored.values()]).toEqual(['ok', 'ok']);
  });

  it('leaves a record out that can never be stored, counts and reports it, and deletes its pending row', async () => {
    put(record(1, 'pending'));
    await pass(250);
    disk.unfit.add(1);
    put(record(1), record(2));
    await pass(250);
    expect([queue.isHealthy, queue.dropped, waiting()]).toEqual([true, 1, []]);
    expect(warnings).toEqual([
      { event: 'log_rejected', seq: 1, id: 'req_1', detail: 'a value does not fit' },
    ]);
    await pass(250);
    expect([...disk.stored.keys()]).toEqual([2]);
  });

  it('keeps unwritten records, retries every second, and warns at the beginning and the end of the failure', async () => {
    disk.isFull = true;
    disk.room = 1;
    put(record(1), record(2, 'pending'));
    await pass(150);
    expect([queue.isHealthy, waiting()]).toEqual([false, ['2 pending']]);
    put(record(2));
    disk.room = 0;
    await pass(3 * RETRY_MS);
    expect(disk.batches.length).toBeLessThanOrEqual(5);
    disk.isFull = false;
    await pass(RETRY_MS + 100);
    expect([queue.isHealthy, waiting(), queue.dropped]).toEqual([true, [], 0]);
    expect([...disk.stored.values()]).toEqual(['ok', 'ok']);
    expect(warnings).toEqual([
      { event: 'log_degraded', detail: 'database or disk is full' },
      { event: 'log_recovered', dropped: 0 },
    ]);
  });

  it('drops the oldest records above its bound: each is stored in its final state or counted', async () => {
    put(record(1, 'pending'));
    await pass(250);
    disk.isFull = true;
    put(record(1), record(2), record(3, 'pending'));
    await pass(250);
    put(record(4), record(5), record(6));
    expect(waiting()).toEqual(['4 ok', '5 ok', '6 ok']);
    // Record 3 is not counted yet: its final state has not arrived.
    expect(queue.dropped).toBe(2);
    expect(queue.droppedAt).toBe(new TimerClock().now());
    disk.isFull = false;
    put(record(3));
    await pass(2 * RETRY_MS);
    expect(queue.dropped).toBe(3);
    expect([...disk.stored]).toEqual([
      [5, 'ok'],
      [6, 'ok'],
      [3, 'ok'],
    ]);
  });

  it('treats a dead thread like a failed write', async () => {
    const { write } = disk;
    let isDead = true;
    const dying = new WriteQueue({
      clock: new TimerClock(),
      warn: () => undefined,
      write: (order) => (isDead ? Promise.reject(new Error('The thread ended.')) : write(order)),
    });
    dying.put(record(1));
    await pass(250);
    expect(dying.isHealthy).toBe(false);
    isDead = false;
    await pass(RETRY_MS);
    expect([dying.isHealthy, [...disk.stored.keys()]]).toEqual([true, [1]]);
  });

  it('counts a disk that does not answer as failing until it does', async () => {
    disk.blocked = Promise.withResolvers();
    put(record(1));
    await pass(5000);
    expect(queue.isHealthy).toBe(true);
    await pass(100);
    expect([queue.isHealthy, waiting()]).toEqual([false, ['1 ok']]);
    disk.blocked.resolve();
    await pass(100);
    expect([queue.isHealthy, waiting(), queue.dropped]).toEqual([true, [], 0]);
    expect(warnings).toEqual([
      { event: 'log_degraded', detail: 'the disk has not answered for 5 s' },
      { event: 'log_recovered', dropped: 0 },
    ]);
  });

  it('reports dropped records once a minute', async () => {
    disk.blocked = Promise.withResolvers();
    put(record(1));
    await pass(250);
    put(...[2, 3, 4, 5, 6].map((seq) => record(seq)));
    const reports = () => warnings.filter((warning) => 'total' in warning);
    await pass(59_000);
    expect(reports()).toEqual([]);
    await pass(1000);
    put(record(7));
    await pass(120_000);
    expect(reports()).toEqual([
      { event: 'log_dropped', dropped: 2, total: 2 },
      { event: 'log_dropped', dropped: 1, total: 3 },
    ]);
  });

  it('flushes when it is closed, and counts unwritten final records as dropped', async () => {
    put(record(1));
    await queue.close(2000);
    expect([...disk.stored.keys()]).toEqual([1]);
    const last = new WriteQueue({
      clock: new TimerClock(),
      warn: (details) => warnings.push(details),
      write: () => new Promise(() => undefined),
    });
    last.put(record(2));
    last.put(record(3, 'pending'));
    const closing = last.close(2000);
    await pass(2000);
    await closing;
    expect(last.dropped).toBe(1);
    expect(warnings).toEqual([{ event: 'log_dropped', dropped: 1, total: 1 }]);
  });
});
