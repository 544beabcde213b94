import { type FailureReason } from '../../common/errors/failure-reasons.js';
import { type NetworkRecord } from './network-record.js';
import { type RequestLogEntry, type RequestOutcome } from './request-log-entry.js';

export type LogRecord = RequestLogEntry | NetworkRecord;
export type LogKind = LogRecord['kind'];

/** `error`: failure of the gateway or its upstream. `warn`: refused, limited or cancelled. `info`: ok or pending. */
export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const OUTCOMES = [
  'pending',
  'ok',
  'client_error',
  'upstream_error',
  'rate_limited',
  'cancelled',
  'shutdown',
  'crashed',
] as const satisfies readonly (RequestOutcome | 'pending')[];
export type LogOutcome = (typeof OUTCOMES)[number];

/** Outcomes by level. */
export const OUTCOMES_BY_LEVEL: Readonly<Record<LogLevel, readonly LogOutcome[]>> = {
  info: ['pending', 'ok'],
  warn: ['client_error', 'rate_limited', 'cancelled', 'shutdown'],
  error: ['upstream_error', 'crashed'],
};

/** Outcomes of requests that count by their reason; others, such as `cancelled`, may have one, too. */
export const OUTCOMES_WITH_REASON = [
  'client_error',
  'upstream_error',
  'rate_limited',
  'shutdown',
] as const satisfies readonly LogOutcome[];

/** Whether requests of an outcome count by their reason. */
export function hasReason(outcome: LogOutcome): boolean {
  const outcomes: readonly LogOutcome[] = OUTCOMES_WITH_REASON;
  return outcomes.includes(outcome);
}

/** Outcomes that the overview counts as errors, as the filter `failed` does. */
const ERROR_OUTCOMES = [
  'client_error',
  'upstream_error',
  'shutdown',
  'crashed',
] as const satisfies readonly LogOutcome[];

/** Outcomes of a filter's `outcome`. */
export function outcomesOf(outcome: LogOutcome | 'failed'): readonly LogOutcome[] {
  return outcome === 'failed' ? ERROR_OUTCOMES : [outcome];
}

/** Orders other than that of time: by duration, by tokens of prompt and answer, and by the wait for sessions. */
export const LOG_RANKINGS = ['slowest', 'largest', 'waited'] as const;
export type LogRanking = (typeof LOG_RANKINGS)[number];

/** Page size when none is given. */
export const DEFAULT_LIMIT = 50;

/** Query for a page of records, newest first. All given conditions must hold. */
export interface LogFilter {
  /** `request` by default. */
  readonly kind?: LogKind;
  /** Page size; `DEFAULT_LIMIT` by default. */
  readonly limit?: number;
  /** Cursor: `next` of the previous page. */
  readonly before?: string;
  readonly level?: LogLevel;
  /** Name of the caller's key; only requests have one. */
  readonly key?: string;
  readonly model?: string;
  /** Name of the gateway that served it, where several have one log. */
  readonly node?: string;
  /** Name of the account. */
  readonly account?: string;
  /** Only exchanges that served a request, without page loads and logins. */
  readonly served?: true;
  /** Only requests for completions, as the overview counts them. */
  readonly operation?: 'completion';
  /** Id of a conversation, for its turns; only requests have one. */
  readonly conversation?: string;
  /** HTTP statuses, both ends inclusive. */
  readonly status?: { readonly from: number; readonly to: number };
  /** `failed`: any end but a good one, a rate limit, or the caller's own. */
  readonly outcome?: LogOutcome | 'failed';
  /** Reason of the failure; only requests that failed have one. */
  readonly reason?: FailureReason;
  /** Unix milliseconds of the beginning, inclusive. */
  readonly from?: number;
  /** Unix milliseconds of the beginning, exclusive. */
  readonly until?: number;
  /** Least duration in milliseconds; what has been under way `since` that Unix time, or longer, has it as well. */
  readonly lasts?: { readonly ms: number; readonly since: number };
  /** Beginning of the client's name, e.g. `curl` for `curl/8.5.0`. */
  readonly client?: string;
  /** Whether the texts of prompts, answers and bodies are read as well. */
  readonly withTexts?: boolean;
  /** Newest first by default. Of a ranking, the page holds the first of all that were searched. */
  readonly sort?: 'newest' | LogRanking;
  /** Substring of id, error, attempt, model, account, URL or content; ASCII letters match in either case. */
  readonly q?: string;
  /** Set for a caller: `q` is looked for in what a caller may see of its requests. */
  readonly isCallers?: true;
}
