import { type Clock } from '../../common/time/clock.js';
import { settledWithin } from '../../common/time/settled-within.js';
import { lengthOf, type StoredRecord } from '../records/stored-record.js';
import { type StoreSize } from './record-writer.js';
import { type WriteOrder, type WriteReport } from './writer.worker.js';

/** Batching window: delay between the first record put and its write. */
const BATCH_WINDOW_MS = 100;
/** Delay between a failed write and the next attempt. */
const RETRY_MS = 1000;
/** Longest time for a write, after which the disk counts as failing; a batch takes milliseconds. */
const STALL_MS = 5000;
/** Interval of the report of dropped records, and of an empty write that lets retention delete old ones. */
const MAINTENANCE_MS = 60_000;
/** Bounds of the queue while the store is slow; above them the oldest records are dropped. */
const MAX_RECORDS = 20_000;
const MAX_CHARACTERS = 32 * 2 ** 20;
/** Size of a batch. It is copied to the thread, which costs 0.3 ms. */
const BATCH_CHARACTERS = 2 ** 20;
/**
 * Records from which on a batch does not wait for the end of the window. With more, the engine would have moved the first
 * of them to its old generation, which grows by them until it is collected as a whole.
 */
const FULL_RECORDS = 128;

export interface WriteQueueOptions {
  /** Writes one batch; a rejection counts as a failed write. */
  readonly write: (order: Pick<WriteOrder, 'records' | 'removed'>) => Promise<WriteReport>;
  readonly clock: Clock;
  /** Writes a warning to the process log. */
  readonly warn: (details: object, message: string) => void;
  /** 20,000 by default. */
  readonly maxRecords?: number;
}

/**
 * Bounded queue in front of the writing thread. Every record is either stored in its final state or counted as dropped:
 * if the final state is dropped, the row stored while the record was pending is deleted.
 */
export class WriteQueue {
  /** Records lost since the start. */
  dropped = 0;
  /** When the last of them was lost, in Unix milliseconds. */
  droppedAt: number | undefined;
  /** Records in the store, as of the last write. */
  entries = 0;
  /** Size of the store in bytes, as of the last write. */
  bytes = 0;
  private failure: string | undefined;
  private waiting = new Map<number, StoredRecord>();
  /** Size of `waiting`. */
  private characters = 0;
  private inFlight: readonly StoredRecord[] = [];
  private writing: Promise<void> | undefined;
  /** `seq` of the records stored as pending. */
  private readonly pending = new Set<number>();
  /** `seq` of rows to delete with the next write. */
  private removed: number[] = [];
  private batchTimer: NodeJS.Timeout | undefined;
  private readonly maintenance: NodeJS.Timeout;
  private reportedDrops = 0;
  private retryAt = 0;
  private isClosed = false;

  constructor(private readonly options: WriteQueueOptions) {
    this.maintenance = setInterval(() => this.maintain(), MAINTENANCE_MS);
    this.maintenance.unref();
  }

  /** False after a failed write, until one succeeds. */
  get isHealthy(): boolean {
    return this.failure === undefined;
  }

  /** Whether a batch is written within 100 ms, unless the thread hangs. */
  get isDue(): boolean {
    return this.batchTimer !== undefined && this.writing === undefined && this.isHealthy;
  }

  /** Latest state of the records that are not stored yet, those in flight included. */
  unsaved(): readonly StoredRecord[] {
    return [...this.inFlight.filter(({ seq }) => !this.waiting.has(seq)), ...this.waiting.values()];
  }

  /** Enqueues a record, or replaces its waiting state by a newer one. */
  put(record: StoredRecord): void {
    if (this.isClosed) {
      return;
    }
    const older = this.waiting.get(record.seq);
    this.characters += lengthOf(record) - (older ? lengthOf(older) : 0);
    this.waiting.set(record.seq, record);
    this.dropExcess();
    if (this.isFull) {
      this.send();
    } else {
      this.sendAfter(BATCH_WINDOW_MS);
    }
  }

  /** Resolves when the queue is empty, a write has failed, or the time is over. */
  async flush(limitMs: number): Promise<void> {
    const written = async (): Promise<void> => {
      await this.writing;
      do {
        this.send();
        await this.writing;
      } while (this.waiting.size > 0 && this.isHealthy && !this.isClosed);
    };
    await settledWithin(limitMs, written());
  }

  /** Flushes the queue within the time limit, counts the rest as dropped, and ignores later records. */
  async close(limitMs: number): Promise<void> {
    clearInterval(this.maintenance);
    this.retryAt = 0;
    await this.flush(limitMs);
    this.isClosed = true;
    clearTimeout(this.batchTimer);
    this.lose(this.unsaved().filter(isFinal).length);
    this.reportDrops();
  }

  private get isFull(): boolean {
    return this.characters > BATCH_CHARACTERS || this.waiting.size >= FULL_RECORDS;
  }

  private sendAfter(ms: number): void {
    this.batchTimer ??= setTimeout(() => this.send(), ms).unref();
  }

  private send(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    // A write that ends schedules the next one itself.
    if (this.writing || this.isClosed) {
      return;
    }
    const waitMs = this.retryAt - this.options.clock.monotonic();
    if (waitMs > 0) {
      this.sendAfter(waitMs);
      return;
    }
    this.writing = this.write(this.takeBatch()).finally(() => (this.writing = undefined));
  }

  /** Takes the oldest records, up to the size of a batch but at least one. */
  private takeBatch(): readonly StoredRecord[] {
    const batch: StoredRecord[] = [];
    let characters = 0;
    for (const [seq, record] of this.waiting) {
      characters += lengthOf(record);
      if (batch.length > 0 && characters > BATCH_CHARACTERS) {
        break;
      }
      batch.push(record);
      this.waiting.delete(seq);
      this.characters -= lengthOf(record);
    }
    if (this.waiting.size === 0) {
      // An emptied Map would go on referring to its former tables, and they to what was in them (decision 209).
      this.waiting = new Map();
    }
    return batch;
  }

  private async write(records: readonly StoredRecord[]): Promise<void> {
    const { removed } = this;
    this.inFlight = records;
    this.removed = [];
    const silence = `the disk has not answered for ${STALL_MS / 1000} s`;
    const stall = setTimeout(() => this.onFailure(silence), STALL_MS).unref();
    const report = await this.options.write({ records, removed }).catch(toFailedReport);
    clearTimeout(stall);
    this.inFlight = [];
    const rejected = new Map(report.rejected.map((rejection) => [rejection.seq, rejection]));
    for (const record of records.slice(0, report.written)) {
      const rejection = rejected.get(record.seq);
      if (rejection) {
        const { seq, id, reason: detail } = rejection;
        this.options.warn({ event: 'log_rejected', seq, id, detail }, 'a log record cannot be stored');
        this.drop(record);
      } else {
        this.onStored(record);
      }
    }
    this.entries = report.entries ?? this.entries;
    this.bytes = report.bytes ?? this.bytes;
    report.notices.forEach((notice) => this.options.warn({ event: 'log_replaced' }, notice));
    if (report.failure === undefined) {
      this.onSuccess();
    } else {
      this.removed = [...removed, ...this.removed];
      this.putBack(records.slice(report.written));
      this.onFailure(report.failure);
    }
    if (this.waiting.size > 0 || this.removed.length > 0 || report.isOverfull) {
      this.sendAfter(this.isFull ? 0 : BATCH_WINDOW_MS);
    }
  }

  private onStored(record: StoredRecord): void {
    if (isFinal(record)) {
      this.pending.delete(record.seq);
    } else {
      this.pending.add(record.seq);
    }
  }

  /** Returns unwritten records to the head of the queue; a newer state of one wins. */
  private putBack(records: readonly StoredRecord[]): void {
    const newer = this.waiting;
    this.waiting = new Map(records.map((record) => [record.seq, record]));
    newer.forEach((record, seq) => this.waiting.set(seq, record));
    this.characters = 0;
    this.waiting.forEach((record) => (this.characters += lengthOf(record)));
    this.dropExcess();
  }

  private dropExcess(): void {
    const { maxRecords = MAX_RECORDS } = this.options;
    if (this.waiting.size <= maxRecords && this.characters <= MAX_CHARACTERS) {
      return;
    }
    for (const [seq, record] of this.waiting) {
      this.waiting.delete(seq);
      this.characters -= lengthOf(record);
      this.drop(record);
      if (this.waiting.size <= maxRecords && this.characters <= MAX_CHARACTERS) {
        return;
      }
    }
  }

  /** Gives a record up. Without its final state the row that was stored while it was pending must go, too. */
  private drop(record: StoredRecord): void {
    if (isFinal(record)) {
      this.lose(1);
      if (this.pending.delete(record.seq)) {
        this.removed.push(record.seq);
      }
    }
  }

  private lose(count: number): void {
    if (count > 0) {
      this.dropped += count;
      this.droppedAt = this.options.clock.now();
    }
  }

  private onFailure(detail: string): void {
    this.retryAt = this.options.clock.monotonic() + RETRY_MS;
    if (this.failure === undefined) {
      this.options.warn({ event: 'log_degraded', detail }, 'the request log cannot be stored');
    }
    this.failure = detail;
  }

  private onSuccess(): void {
    this.retryAt = 0;
    if (this.failure !== undefined) {
      this.failure = undefined;
      this.options.warn({ event: 'log_recovered', dropped: this.dropped }, 'the request log is stored again');
      this.reportedDrops = this.dropped;
    }
  }

  private maintain(): void {
    this.reportDrops();
    this.send();
  }

  private reportDrops(): void {
    if (this.dropped > this.reportedDrops) {
      const details = {
        event: 'log_dropped',
        dropped: this.dropped - this.reportedDrops,
        total: this.dropped,
      };
      this.reportedDrops = this.dropped;
      this.options.warn(details, 'log records were lost');
    }
  }
}

type QueueReport = Omit<WriteReport, keyof StoreSize> & Partial<StoreSize>;

function toFailedReport(error: Error): QueueReport {
  return { written: 0, rejected: [], failure: error.message, notices: [] };
}

function isFinal({ outcome }: StoredRecord): boolean {
  return outcome !== 'pending';
}
