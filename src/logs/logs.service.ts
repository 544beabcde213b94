import { type RequestLogEntry, type RequestOutcome } from './request-log-entry.js';

export type RequestDetails = Partial<
  Omit<RequestLogEntry, 'kind' | 'id' | 'startedAt' | 'outcome' | 'totalMs'>
>;

/** The entry of a request that is under way. */
export interface OpenRequestLog {
  /** Milliseconds since the request began. */
  elapsedMs(): number;
  /** Adds what has become known. */
  add(details: RequestDetails): void;
  /** Closes the entry; only the first call counts. */
  finish(outcome: RequestOutcome, details?: RequestDetails): void;
}

/** Keeps the request log. */
export abstract class LogsService {
  abstract open(request: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
  }): OpenRequestLog;

  /** The newest entries first, pending ones included. */
  abstract recent(limit: number): readonly RequestLogEntry[];
}
