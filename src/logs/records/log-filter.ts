import { type NetworkRecord } from './network-record.js';
import { type RequestLogEntry, type RequestOutcome } from './request-log-entry.js';

export type LogRecord = RequestLogEntry | NetworkRecord;
export type LogKind = LogRecord['kind'];

/** `error`: the gateway or its upstream failed. `warn`: refused, limited or left. `info`: well, or still under way. */
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

/** The outcomes of each level. */
export const OUTCOMES_BY_LEVEL: Readonly<Record<LogLevel, readonly LogOutcome[]>> = {
  info: ['pending', 'ok'],
  warn: ['client_error', 'rate_limited', 'cancelled', 'shutdown'],
  error: ['upstream_error', 'crashed'],
};

/** Records of a page that names no limit. */
export const DEFAULT_LIMIT = 50;

/** Which records are wanted, the newest first. Every condition that is given must hold. */
export interface LogFilter {
  /** `request` by default. */
  readonly kind?: LogKind;
  /** At most so many records; `DEFAULT_LIMIT` by default. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly before?: string;
  readonly level?: LogLevel;
  readonly model?: string;
  /** Name of the account. */
  readonly account?: string;
  /** Statuses from the first to the last. */
  readonly status?: { readonly from: number; readonly to: number };
  readonly outcome?: LogOutcome;
  /** A text that occurs in id, error, model, account, URL or content; ASCII letters match in either case. */
  readonly q?: string;
}
