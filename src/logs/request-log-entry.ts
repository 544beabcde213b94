import { type ErrorCode } from '../common/errors/error-catalog.js';

/** How a request ended. */
export type RequestOutcome =
  'ok' | 'client_error' | 'upstream_error' | 'rate_limited' | 'cancelled' | 'shutdown';

/** One try at the upstream. Times are milliseconds since the request was dispatched. */
export interface AttemptRecord {
  /** Name of the account; missing if no session could be had. */
  readonly account?: string;
  readonly sessionId?: string;
  readonly startedMs: number;
  readonly durationMs: number;
  /** `ok`, `cancelled`, or the short word of the failure, e.g. `rate_limited`. */
  readonly outcome: string;
}

/** An account that could have served, and why it was or was not taken. */
export interface ConsideredRecord {
  readonly account: string;
  readonly outcome: string;
}

/** Everything known of one API call. Built from these fields only, so that no header or secret can slip in. */
export interface RequestLogEntry {
  readonly kind: 'request';
  /** The `x-request-id` of the response. */
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  readonly path: string;
  /** `pending` until the end of the request. */
  readonly outcome: RequestOutcome | 'pending';
  /** HTTP status as the caller saw it; undefined if nothing was sent. */
  readonly status?: number;
  readonly totalMs?: number;
  readonly model?: string;
  readonly stream?: boolean;
  readonly account?: string;
  readonly sessionId?: string;
  /** Milliseconds spent waiting for a session. */
  readonly queuedMs?: number;
  /** Milliseconds from the dispatch until the upstream took the prompt, and until its answer began. */
  readonly acceptedMs?: number;
  readonly firstAnswerMs?: number;
  readonly attempts?: readonly AttemptRecord[];
  readonly considered?: readonly ConsideredRecord[];
  readonly usage?: TokenCounts;
  readonly finishReason?: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly cause?: string };
  /** By `LOG_CONTENT`: absent, shortened or whole. */
  readonly content?: { readonly prompt: string; readonly reasoning: string; readonly answer: string };
}

export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
}
