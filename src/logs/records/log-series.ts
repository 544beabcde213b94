import { type LogOutcome } from './log-filter.js';

/** A time range and the length of its buckets. Times are Unix milliseconds. */
export interface SeriesRange {
  /** Inclusive start of the range. */
  readonly fromMs: number;
  /** Exclusive end of the range. */
  readonly toMs: number;
  readonly bucketMs: number;
}

/** Median and 95th percentile by nearest rank, in milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** Undefined without values. */
export function percentiles(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) {
    return undefined;
  }
  // A typed array sorts by number, and several times faster.
  const sorted = Float64Array.from(values).sort();
  const at = (rank: number): number => sorted[Math.ceil(rank * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Figures of a range, as a whole and over time. */
export interface LogSeries {
  readonly whole: LogBucket;
  /** All of the range, empty ones included, oldest first. */
  readonly buckets: readonly LogBucket[];
}

/** Figures of the completions that began within one bucket. */
export interface LogBucket {
  /** Inclusive start of the bucket, Unix milliseconds. */
  readonly startMs: number;
  /** Number of completions by outcome; absent outcomes count zero. */
  readonly outcomes: Readonly<Partial<Record<LogOutcome, number>>>;
  /** Those of the `rate_limited` that met a limit of their caller's key; the others met that of the accounts. */
  readonly keyLimited: number;
  /** Total duration of the `ok` completions; undefined without any. */
  readonly totalMs?: Percentiles;
  /** Time to first token of the `ok` completions; undefined without any. */
  readonly firstTokenMs?: Percentiles;
  /** Time that the `ok` completions waited for sessions; undefined without any of this release or later. */
  readonly queuedMs?: Percentiles;
  readonly promptTokens: number;
  /** Those of the prompts that the upstream had kept; what releases before logged has none. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
}
