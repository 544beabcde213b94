import { type Observable } from 'rxjs';
import { type LogFilter, type LogRecord } from './records/log-filter.js';
import { type LogBucket, type SeriesRange } from './records/log-series.js';
import { type NetworkRecord } from './records/network-record.js';
import {
  type RequestLogEntry,
  type RequestOperation,
  type RequestOutcome,
} from './records/request-log-entry.js';

export type RequestDetails = Partial<
  Omit<RequestLogEntry, 'kind' | 'id' | 'startedAt' | 'operation' | 'outcome' | 'totalMs'>
>;

/** What is known of a request when it arrives. */
export interface ArrivedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation?: RequestOperation;
}

/** The entry of a request that is under way. */
export interface OpenRequestLog {
  /** The request's id. */
  readonly id: string;
  /** Whole milliseconds since the request began. */
  elapsedMs(this: void): number;
  /** Adds what has become known. */
  add(details: RequestDetails): void;
  /** Closes the entry; only the first call counts. */
  finish(outcome: RequestOutcome, details?: RequestDetails): void;
}

export interface LogPage<Record = LogRecord> {
  /** The newest first. */
  readonly entries: readonly Record[];
  /** What to pass as `before` for the next page; null at the end. A search that takes long ends a page early. */
  readonly next: string | null;
}

export interface LogStats {
  /** Records that could not be stored since the start, and are lost. */
  readonly dropped: number;
  /** Records in the store. */
  readonly entries: number;
  /** Size of the store on the disk. */
  readonly bytes: number;
  /** False while the store cannot be written, e.g. because the disk is full. */
  readonly isHealthy: boolean;
}

/** A record that has begun or ended. */
export interface LogChange {
  /** Grows with each change; where a reader of changes stands. */
  readonly number: number;
  readonly record: LogRecord;
}

/** Keeps the request log and the network records. */
export abstract class LogsService {
  abstract open(request: ArrivedRequest): OpenRequestLog;

  /** Completions under way. */
  abstract runningCompletions(): number;

  /** One page of everything that is kept. Rejects if the store does not answer in time. */
  abstract query(filter: LogFilter): Promise<LogPage>;

  /** A request and what was sent upstream for it, oldest first. */
  abstract find(id: string): Promise<
    | {
        readonly entry: RequestLogEntry;
        readonly network: readonly NetworkRecord[];
      }
    | undefined
  >;

  /**
   * All buckets from the first to the last, also those in which nothing happened.
   * @throws RangeError if they are more than 2,000, or the range is not one
   */
  abstract series(range: SeriesRange): Promise<readonly LogBucket[]>;

  abstract stats(): LogStats;

  /** Every record when it begins, and again at most 10 ms after it has ended. */
  abstract readonly changes$: Observable<LogChange>;

  /** Has `changes$` tell of what has ended by now. */
  abstract settle(): void;
}
