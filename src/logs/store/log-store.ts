import { join, resolve } from 'node:path';
import { type Settings } from '../../common/config/settings.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { isCorruption } from '../../common/store/sqlite/sqlite.js';
import { WorkerCallError, WorkerClient } from '../../common/threads/worker-client.js';
import { type Clock } from '../../common/time/clock.js';
import { DAY_MS } from '../../common/time/durations.js';
import { settledWithin } from '../../common/time/settled-within.js';
import { type ShippedMarks } from '../outbox/outbox.js';
import { type Outgoing } from '../outbox/outgoing-records.js';
import { type Breakdown, breakdown } from '../records/breakdown.js';
import { type LogFilter } from '../records/log-filter.js';
import { type LogSeries, type SeriesRange } from '../records/log-series.js';
import { lengthOf, type StoredRecord } from '../records/stored-record.js';
import { type UsageQuery, type UsageRow } from '../records/usage.js';
import { type LogReader, type StoredRequest, type TextPage } from './log-reader.js';
import {
  type ChangesQuery,
  type FoundOutbox,
  type FoundPage,
  type FoundRecord,
  type FoundRequest,
} from './record-search.js';
import {
  changesWithUnsaved,
  type FoundText,
  requestWithUnsaved,
  toPage,
  unsavedRequest,
  withUnsaved,
} from './unsaved-records.js';
import { WriteQueue } from './write-queue.js';
import { type OpenReport, type OutgoingOrder, type WriteReport } from './writer.worker.js';

/** Time limits for the threads: at the start, for what is to be shipped, for one read, for a flush before it, at the end. */
const OPEN_LIMIT_MS = 2000;
const OUTGOING_LIMIT_MS = 2000;
const READ_LIMIT_MS = 10_000;
/** The dashboard's overview asks every 5 s; without it, reads are rare. */
const READER_IDLE_MS = 10_000;
const FLUSH_LIMIT_MS = 500;
const CLOSE_LIMIT_MS = 2000;

/** See `LogStore.unshipped`. */
export interface UnshippedPage {
  readonly records: readonly FoundText[];
  /** As in `FoundPage`. */
  readonly reached: number;
  readonly seqs: ReadonlySet<number>;
}

interface AskedOutgoing {
  readonly order: OutgoingOrder;
  readonly answer: PromiseWithResolvers<Outgoing | undefined>;
}

const EMPTY_PAGE: FoundPage = { records: [], reached: 0 };

export interface LogStats {
  /** Records lost since the start because they could not be stored. */
  readonly dropped: number;
  /** When the last of them was lost, in Unix milliseconds. */
  readonly droppedAt?: number;
  /** Records in the store. */
  readonly entries: number;
  /** Size of the store on disk. */
  readonly bytes: number;
  /** False while the log cannot be written, e.g. on a full disk. */
  readonly isHealthy: boolean;
}

/**
 * The records in `logs.db` in `DATA_DIR`, seen from the main thread. SQLite runs in two worker threads, one for writing
 * and one for reading, which ends while nobody reads. Every read merges stored records with those still in the queue.
 */
export class LogStore implements LogReader {
  private readonly writer: WorkerClient;
  private readonly reader: WorkerClient;
  private readonly queue: WriteQueue;
  /** Beginning of the retention, in Unix milliseconds. */
  private readonly keepFrom: () => number;
  private nameInFile: string | undefined;
  private wasOpened = false;
  private written: (characters: number) => void = () => undefined;
  /** What the next write is to bring along from the file. */
  private asked: AskedOutgoing | undefined;

  constructor(
    settings: Settings,
    clock: Clock,
    private readonly warn: (details: object, message: string) => void,
  ) {
    const path = join(resolve(settings.DATA_DIR), 'logs.db');
    this.keepFrom = () => clock.now() - settings.LOG_RETENTION_DAYS * DAY_MS;
    const isShipped = settings.DATABASE_URL !== undefined;
    this.writer = new WorkerClient(new URL('./writer.worker', import.meta.url), { path, isShipped });
    this.reader = new WorkerClient(new URL('./reader.worker', import.meta.url), { path }, READER_IDLE_MS);
    this.queue = new WriteQueue({
      clock,
      warn,
      write: async ({ records, removed }) => {
        const limits = {
          maxBytes: settings.LOG_MAX_BYTES,
          keepFrom: this.keepFrom(),
          now: clock.now(),
        };
        const isReopened = this.wasOpened;
        const report = await this.writeAsked((outgoing) =>
          this.writer.call<WriteReport>('write', { records, removed, limits, isReopened, outgoing }),
        );
        this.wasOpened ||= report.failure === undefined;
        if (records.length > 0 || removed.length > 0) {
          this.written(records.reduce((sum, record) => sum + lengthOf(record), 0));
        }
        return report;
      },
    });
  }

  /** Opens the file and closes records left pending. @returns highest number in it; 0 if it is new or not open in time */
  async open(): Promise<number> {
    const order = { keepFrom: this.keepFrom(), isReopened: this.wasOpened };
    const report = await settledWithin(
      OPEN_LIMIT_MS,
      this.writer.call<OpenReport>('open', order).catch(() => undefined),
    );
    this.wasOpened ||= report !== undefined;
    this.nameInFile = report?.node;
    // An empty first write reports a failure to open, and the size of the store.
    void this.queue.flush(0);
    return report?.lastNumber ?? 0;
  }

  /** Name of the file among those that are shipped; undefined until it was opened. */
  get name(): string | undefined {
    return this.nameInFile;
  }

  /** @param listener called whenever records have been written to the file, or were removed; takes the size of the former */
  onWritten(listener: (characters: number) => void): void {
    this.written = listener;
  }

  /**
   * What is to be shipped next: see `OutgoingRecords.next`. Undefined while the file cannot be used, or is slow. It comes
   * with a write that is due, since each message between the threads costs as much as some records.
   * @param shipped is taken out of the file's outbox before
   */
  outgoing(firstDay: number, shipped?: ShippedMarks): Promise<Outgoing | undefined> {
    const order = { firstDay, shipped };
    return settledWithin(
      OUTGOING_LIMIT_MS,
      this.queue.isDue
        ? this.outgoingWithWrite(order)
        : this.writer.call<Outgoing | undefined>('outgoing', order),
    );
  }

  /** Acknowledges shipped records to the file's outbox, within 500 ms; after a failure they are shipped again. */
  async noteShipped(marks: ShippedMarks): Promise<void> {
    await settledWithin(
      FLUSH_LIMIT_MS,
      this.writer.call('shipped', marks).catch(() => undefined),
    );
  }

  /** Flushes the queue, within 500 ms. */
  flush(): Promise<void> {
    return this.queue.flush(FLUSH_LIMIT_MS);
  }

  put(record: StoredRecord): void {
    this.queue.put(record);
  }

  stats(): LogStats {
    const { dropped, droppedAt, entries, bytes, isHealthy } = this.queue;
    return { dropped, droppedAt, entries, bytes, isHealthy };
  }

  async page(filter: LogFilter): Promise<TextPage> {
    // Only a log of several gateways knows their names.
    if (filter.node !== undefined) {
      return { texts: [], next: null };
    }
    const unsaved = this.queue.unsaved();
    const found = await this.read<FoundPage>('page', filter, EMPTY_PAGE);
    return toPage(withUnsaved(found, unsaved, filter), found.reached, filter);
  }

  /** The records of a page that are not shipped yet, in no order, and the numbers of all that are not. */
  async unshipped(filter: LogFilter): Promise<UnshippedPage> {
    const unsaved = this.queue.unsaved();
    const found = await this.read<FoundOutbox>('unshipped', filter, { ...EMPTY_PAGE, seqs: [] });
    return {
      records: withUnsaved(found, unsaved, filter),
      reached: found.reached,
      seqs: new Set([...unsaved.map(({ seq }) => seq), ...found.seqs]),
    };
  }

  /** JSON of a request and of its exchanges, oldest first. */
  async find(id: string): Promise<StoredRequest | undefined> {
    const unsaved = this.queue.unsaved();
    const argument = { id, unsavedSeq: unsavedRequest(id, unsaved)?.seq };
    const found = await this.read<FoundRequest | undefined>('find', argument, undefined);
    return requestWithUnsaved(id, found, unsaved);
  }

  /** Figures of the completions of a range, in Unix milliseconds. */
  async breakdown(range: { readonly fromMs: number; readonly toMs: number }): Promise<Breakdown> {
    await this.queue.flush(FLUSH_LIMIT_MS);
    const none = { isPartial: false, longestWait: null, rows: breakdown([]) };
    return this.read<Breakdown>('breakdown', range, none);
  }

  /** JSON of what the upstream sent for a request; undefined if it is not kept. */
  async recording(id: string): Promise<string | undefined> {
    await this.queue.flush(FLUSH_LIMIT_MS);
    return this.read<string | undefined>('recording', id, undefined);
  }

  /** The latest `limit` changes after a number, oldest first. */
  async changes(query: ChangesQuery): Promise<readonly FoundRecord[]> {
    await this.queue.flush(FLUSH_LIMIT_MS);
    // Records that could not be stored in time.
    const unsaved = this.queue.unsaved();
    return changesWithUnsaved(await this.read<readonly FoundRecord[]>('changes', query, []), unsaved, query);
  }

  async series(range: SeriesRange): Promise<LogSeries> {
    await this.queue.flush(FLUSH_LIMIT_MS);
    const whole = {
      startMs: range.fromMs,
      outcomes: {},
      keyLimited: 0,
      promptTokens: 0,
      cachedTokens: 0,
      completionTokens: 0,
    };
    return this.read<LogSeries>('series', range, { whole, buckets: [] });
  }

  /** @throws WorkerCallError if the file cannot be read */
  async usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    await this.queue.flush(FLUSH_LIMIT_MS);
    return this.reader.callWithin<readonly UsageRow[]>(READ_LIMIT_MS, 'usage', query);
  }

  /** Leaves all in the file itself: SQLite takes its side file in when the writer is the last to close it. */
  async close(): Promise<void> {
    // A thread in a call to a disk that hangs does not end.
    const readerEnd = settledWithin(CLOSE_LIMIT_MS, this.reader.end());
    await Promise.all([this.queue.close(CLOSE_LIMIT_MS), readerEnd]);
    await this.writer.callWithin(CLOSE_LIMIT_MS, 'close').catch(() => undefined);
    await settledWithin(CLOSE_LIMIT_MS, this.writer.end());
  }

  private outgoingWithWrite(order: OutgoingOrder): Promise<Outgoing | undefined> {
    const answer = Promise.withResolvers<Outgoing | undefined>();
    this.asked = { order, answer };
    return answer.promise;
  }

  private async writeAsked(
    write: (order: OutgoingOrder | undefined) => Promise<WriteReport>,
  ): Promise<WriteReport> {
    const { asked } = this;
    this.asked = undefined;
    try {
      const report = await write(asked?.order);
      const { outgoing, outgoingFailure } = report;
      if (outgoingFailure === undefined) {
        asked?.answer.resolve(outgoing);
      } else {
        asked?.answer.reject(new WorkerCallError(outgoingFailure));
      }
      return report;
    } catch (error) {
      asked?.answer.reject(error);
      throw error;
    }
  }

  /**
   * @param fallback result while the file is unusable
   * @throws InternalError if it cannot be read although it can be written
   */
  private async read<Result>(name: string, argument: unknown, fallback: Result): Promise<Result> {
    try {
      return await this.reader.callWithin<Result>(READ_LIMIT_MS, name, argument);
    } catch (error) {
      if (!this.queue.isHealthy) {
        return fallback;
      }
      if (isCorruption(error)) {
        this.warn(
          { event: 'log_unreadable', detail: (error as Error).message },
          'the request log cannot be read',
        );
        void this.writer.call('check').catch(() => undefined);
        return fallback;
      }
      throw new InternalError('local_resources', 'the log cannot be read at present.', { cause: error });
    }
  }
}
