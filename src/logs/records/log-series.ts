import { type LogOutcome } from './log-filter.js';

/** A stretch of time, cut into buckets of equal length. Unix times in milliseconds. */
export interface SeriesRange {
  readonly fromMs: number;
  /** Not part of it. */
  readonly toMs: number;
  readonly bucketMs: number;
}

/** Milliseconds that half, and 95 of 100, of the requests took at most. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** The completions that began within one stretch of time. */
export interface LogBucket {
  /** Unix time in milliseconds. */
  readonly startMs: number;
  /** How many ended in which way; outcomes that did not occur are missing. */
  readonly outcomes: Readonly<Partial<Record<LogOutcome, number>>>;
  /** Of those that ended well; undefined if there are none. */
  readonly totalMs?: Percentiles;
  readonly firstTokenMs?: Percentiles;
  readonly promptTokens: number;
  readonly completionTokens: number;
}
