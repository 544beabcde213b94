import { join, resolve } from 'node:path';
import { type Settings } from '../../common/config/settings.js';
import { type Clock } from '../../common/time/clock.js';
import { type LogStats } from '../logs.service.js';
import { DEFAULT_LIMIT, type LogFilter, type LogKind } from '../records/log-filter.js';
import { type LogBucket, type SeriesRange } from '../records/log-series.js';
import { matchesFilter } from '../records/record-match.js';
import { type StoredRecord, textOf } from '../records/stored-record.js';
import { isCorruption } from './log-database.js';
import { type FoundPage, type FoundRecord, type FoundRequest } from './record-reader.js';
import { type WorkerCallError, WorkerClient } from './worker-client.js';
import { WriteQueue } from './write-queue.js';
import { type Opened } from './writer.worker.js';

const DAY_MS = 86_400_000;
/** How long the start, a reader and the shutdown wait for the threads. */
const OPEN_LIMIT_MS = 2000;
const READ_LIMIT_MS = 5000;
const SETTLE_LIMIT_MS = 500;
const CLOSE_LIMIT_MS = 2000;

const NOTHING: FoundPage = { records: [], reached: 0 };

/** A page of records as JSON, the newest first. */
export interface TextPage {
  readonly texts: readonly string[];
  readonly next: string | null;
}

/**
 * The stored records, in a file of their own in DATA_DIR. One thread writes, another one reads, and both work outside
 * this one. What waits to be written is part of every answer.
 */
export class LogStore {
  private readonly writer: WorkerClient;
  private readonly reader: WorkerClient;
  private readonly queue: WriteQueue;

  constructor(
    settings: Settings,
    clock: Clock,
    private readonly warn: (details: object, message: string) => void,
  ) {
    const path = join(resolve(settings.DATA_DIR), 'logs.db');
    this.writer = new WorkerClient('writer.worker', { path });
    this.reader = new WorkerClient('reader.worker', { path });
    this.queue = new WriteQueue({
      clock,
      warn,
      write: ({ records, removed }) =>
        this.writer.call('write', {
          records,
          removed,
          limits: {
            maxBytes: settings.LOG_MAX_BYTES,
            keepFrom: clock.now() - settings.LOG_RETENTION_DAYS * DAY_MS,
          },
        }),
    });
  }

  /** Opens the file, and closes what the last process left open. Returns the last number drawn in it. */
  async open(): Promise<number> {
    const { promise: isOver, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), OPEN_LIMIT_MS);
    const opened = await Promise.race([this.writer.call<Opened>('open').catch(() => undefined), isOver]);
    clearTimeout(timer);
    // A first write reports what is wrong, and how much there is.
    void this.queue.flush(0);
    return opened?.lastNumber ?? 0;
  }

  put(record: StoredRecord): void {
    this.queue.put(record);
  }

  stats(): LogStats {
    const { dropped, entries, bytes, isHealthy } = this.queue;
    return { dropped, entries, bytes, isHealthy };
  }

  async page(filter: LogFilter, withTexts: boolean): Promise<TextPage> {
    const { limit = DEFAULT_LIMIT } = filter;
    const unsaved = new Map(this.queue.unsaved().map((record) => [record.id, record]));
    const { records, reached } = await this.read<FoundPage>('page', { filter, withTexts }, NOTHING);
    const merged = [
      ...records.filter(({ id }) => !unsaved.has(id)),
      ...[...unsaved.values()]
        .filter((record) => record.seq >= reached && matchesFilter(record, filter))
        .map((record) => ({ seq: record.seq, text: textOf(record, withTexts) })),
    ].sort((a, b) => b.seq - a.seq);
    const page = merged.slice(0, limit);
    const last = merged.length > limit ? (page.at(-1)?.seq ?? 0) : reached;
    return { texts: page.map(({ text }) => text), next: last > 0 ? String(last) : null };
  }

  /** The JSON of a request and of its exchanges. */
  async find(
    id: string,
  ): Promise<{ readonly entry: string; readonly network: readonly string[] } | undefined> {
    const unsaved = this.queue.unsaved();
    const own = unsaved.find((record) => record.kind === 'request' && record.id === id);
    const argument = { id, unsavedSeq: own?.seq };
    const found = await this.read<FoundRequest | undefined>('find', argument, undefined);
    const entry = own ? textOf(own, true) : found?.entry?.text;
    if (entry === undefined) {
      return undefined;
    }
    const network = new Map(found?.network.map(({ seq, text }) => [seq, text]));
    for (const record of unsaved.filter(({ requestId }) => requestId === id)) {
      network.set(record.seq, textOf(record, true));
    }
    const inOrder = [...network].sort(([a], [b]) => a - b);
    return { entry, network: inOrder.map(([, text]) => text) };
  }

  /** The newest of what changed after a number, oldest first. */
  async changes(query: {
    readonly after: number;
    readonly limit: number;
    readonly withTexts: boolean;
    readonly kind?: LogKind | undefined;
  }): Promise<readonly FoundRecord[]> {
    await this.queue.flush(SETTLE_LIMIT_MS);
    const { after, limit, withTexts, kind } = query;
    // What cannot be stored, or not in time.
    const unsaved = new Map(this.queue.unsaved().map((record) => [record.seq, record]));
    const found = await this.read<readonly FoundRecord[]>('changes', query, []);
    return [
      ...found.filter(({ seq }) => !unsaved.has(seq)),
      ...[...unsaved.values()]
        .filter((record) => record.changed > after && (kind === undefined || record.kind === kind))
        .map((record) => ({ ...record, text: textOf(record, withTexts) })),
    ]
      .sort((a, b) => a.changed - b.changed)
      .slice(-limit);
  }

  async series(range: SeriesRange): Promise<readonly LogBucket[]> {
    await this.queue.flush(SETTLE_LIMIT_MS);
    return this.read<readonly LogBucket[]>('series', range, []);
  }

  async close(): Promise<void> {
    await this.queue.close(CLOSE_LIMIT_MS);
    await this.writer.callWithin(CLOSE_LIMIT_MS, 'close').catch(() => undefined);
    await Promise.all([this.reader.end(), this.writer.end()]);
  }

  /** @param otherwise what there is to read while the file cannot even be written */
  private async read<Result>(name: string, argument: unknown, otherwise: Result): Promise<Result> {
    try {
      return await this.reader.callWithin<Result>(READ_LIMIT_MS, name, argument);
    } catch (error) {
      if (!this.queue.isHealthy) {
        return otherwise;
      }
      const { code = 0, message } = error as WorkerCallError;
      if (isCorruption({ errcode: code })) {
        this.warn({ event: 'log_unreadable', reason: message }, 'the request log cannot be read');
        void this.writer.call('check').catch(() => undefined);
        return otherwise;
      }
      throw error;
    }
  }
}
