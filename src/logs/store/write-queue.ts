import { type Clock } from '../../common/time/clock.js';
import { lengthOf, type StoredRecord } from '../records/stored-record.js';
import { type WriteOrder, type WriteReport } from './writer.worker.js';

/** How long records gather before they are written. */
const GATHER_MS = 50;
/** How long after a failure the next try begins. */
const RETRY_MS = 1000;
/** How often what is lost is reported, and old records are deleted though nothing is written. */
const PERIOD_MS = 60_000;
/** Most that may wait while the store is slow; beyond it the oldest are lost. */
const MAX_RECORDS = 20_000;
const MAX_CHARACTERS = 32 * 2 ** 20;
/** What is handed to the thread at one go: it is copied, which costs 0.3 ms. */
const BATCH_CHARACTERS = 2 ** 20;

export interface QueueOptions {
  readonly write: (order: Omit<WriteOrder, 'limits'>) => Promise<WriteReport>;
  readonly clock: Clock;
  readonly warn: (details: object, message: string) => void;
  readonly maxRecords?: number;
}

/**
 * What waits to be written. Each record is either stored in its last state or counted as dropped: of one that was stored
 * while it was pending, and lost later, the stored part is removed.
 */
export class WriteQueue {
  dropped = 0;
  entries = 0;
  bytes = 0;
  private failure: string | undefined;
  private waiting = new Map<number, StoredRecord>();
  private characters = 0;
  private inFlight: readonly StoredRecord[] = [];
  private writing: Promise<void> | undefined;
  /** Stored as pending. */
  private readonly begun = new Set<number>();
  private removed: number[] = [];
  private gathering: NodeJS.Timeout | undefined;
  private readonly period: NodeJS.Timeout;
  private reportedDrops = 0;
  private retryAt = 0;
  private isClosed = false;

  constructor(private readonly options: QueueOptions) {
    this.period = setInterval(() => this.everyPeriod(), PERIOD_MS);
    this.period.unref();
  }

  get isHealthy(): boolean {
    return this.failure === undefined;
  }

  /** What is not in the store yet, the newest state of each. */
  unsaved(): readonly StoredRecord[] {
    return [...this.inFlight.filter(({ seq }) => !this.waiting.has(seq)), ...this.waiting.values()];
  }

  /** Takes a record, or a newer state of one. */
  put(record: StoredRecord): void {
    if (this.isClosed) {
      return;
    }
    const older = this.waiting.get(record.seq);
    this.characters += lengthOf(record) - (older ? lengthOf(older) : 0);
    this.waiting.set(record.seq, record);
    this.dropExcess();
    this.sendAfter(GATHER_MS);
  }

  /** Resolves when what waits now is written, has failed, or the time is over. */
  async flush(limitMs: number): Promise<void> {
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    const written = async (): Promise<void> => {
      await this.writing;
      do {
        this.send();
        await this.writing;
      } while (this.waiting.size > 0 && this.isHealthy && !this.isClosed);
    };
    await Promise.race([written(), isOver]);
    clearTimeout(timer);
  }

  /** Writes what is left, as far as there is time. Nothing is taken any more. */
  async close(limitMs: number): Promise<void> {
    clearInterval(this.period);
    this.retryAt = 0;
    await this.flush(limitMs);
    this.isClosed = true;
    clearTimeout(this.gathering);
    this.dropped += this.unsaved().filter(isFinal).length;
    this.reportDrops();
  }

  private sendAfter(ms: number): void {
    this.gathering ??= setTimeout(() => this.send(), ms).unref();
  }

  private send(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    // The end of a write begins the next one.
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

  /** The first of what waits. */
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
    return batch;
  }

  private async write(records: readonly StoredRecord[]): Promise<void> {
    const { removed } = this;
    this.inFlight = records;
    this.removed = [];
    const report = await this.options.write({ records, removed }).catch(failed);
    this.inFlight = [];
    for (const record of records.slice(0, report.written)) {
      this.noteStored(record);
    }
    this.entries = report.entries ?? this.entries;
    this.bytes = report.bytes ?? this.bytes;
    report.notices.forEach((notice) => this.options.warn({ event: 'log_replaced' }, notice));
    if (report.failure === undefined) {
      this.recovered();
    } else {
      this.removed = [...removed, ...this.removed];
      this.putBack(records.slice(report.written));
      this.failed(report.failure);
    }
    if (this.waiting.size > 0 || this.removed.length > 0) {
      this.sendAfter(this.characters > BATCH_CHARACTERS ? 0 : GATHER_MS);
    }
  }

  private noteStored(record: StoredRecord): void {
    if (isFinal(record)) {
      this.begun.delete(record.seq);
    } else {
      this.begun.add(record.seq);
    }
  }

  /** What was not written goes first, unless there is a newer state of it. */
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
      if (isFinal(record)) {
        this.dropped += 1;
        if (this.begun.delete(seq)) {
          this.removed.push(seq);
        }
      }
      if (this.waiting.size <= maxRecords && this.characters <= MAX_CHARACTERS) {
        return;
      }
    }
  }

  private failed(reason: string): void {
    this.retryAt = this.options.clock.monotonic() + RETRY_MS;
    if (this.failure === undefined) {
      this.options.warn({ event: 'log_degraded', reason }, 'the request log cannot be stored');
    }
    this.failure = reason;
  }

  private recovered(): void {
    this.retryAt = 0;
    if (this.failure !== undefined) {
      this.failure = undefined;
      this.options.warn({ event: 'log_recovered', dropped: this.dropped }, 'the request log is stored again');
      this.reportedDrops = this.dropped;
    }
  }

  private everyPeriod(): void {
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

type Report = Omit<WriteReport, 'entries' | 'bytes'> & Partial<WriteReport>;

function failed(error: Error): Report {
  return { written: 0, failure: error.message, notices: [] };
}

function isFinal({ outcome }: StoredRecord): boolean {
  return outcome !== 'pending';
}
