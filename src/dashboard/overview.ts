import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../common/time/durations.js';
import { outcomesOf } from '../logs/records/log-filter.js';
import { type LogBucket, type SeriesRange } from '../logs/records/log-series.js';

/** Round bucket lengths, for readable axes. */
const BUCKETS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * HOUR_MS),
];

const MAX_BUCKETS = 120;

/** Figures of the requests in a time range. Durations are milliseconds; null without a measurement. */
export interface OverviewTotals {
  readonly requests: number;
  readonly ok: number;
  readonly errors: number;
  /** Those of the errors that were the caller's. */
  readonly clientErrors: number;
  readonly rateLimited: number;
  /** Those of the rate limited that met a limit of their caller's key. */
  readonly keyLimited: number;
  readonly cancelled: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly firstTokenP50Ms: number | null;
  /** Wait for sessions. */
  readonly queuedP95Ms: number | null;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** One column per figure, the format of chart libraries. */
export interface OverviewSeries {
  readonly bucketMs: number;
  /** Start of each bucket, in Unix milliseconds. */
  readonly t: readonly number[];
  readonly requests: readonly number[];
  readonly ok: readonly number[];
  readonly errors: readonly number[];
  readonly rateLimited: readonly number[];
  readonly p50Ms: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
  readonly firstTokenP50Ms: readonly (number | null)[];
  readonly queuedP95Ms: readonly (number | null)[];
  readonly completionTokens: readonly number[];
}

/**
 * The range of buckets that covers the last `minutes`: at most 120, aligned to round times, so that charts do not jitter.
 * The last bucket contains `now`; the first one may begin up to a bucket after the window does.
 */
export function overviewRange(now: number, minutes: number): SeriesRange {
  const windowMs = minutes * MINUTE_MS;
  const bucketMs = BUCKETS_MS.find((length) => windowMs / length <= MAX_BUCKETS) ?? 24 * HOUR_MS;
  const toMs = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { fromMs: toMs - Math.ceil(windowMs / bucketMs) * bucketMs, toMs, bucketMs };
}

export function toTotals({ outcomes, keyLimited, ...bucket }: LogBucket): OverviewTotals {
  const counts = Object.values(outcomes);
  const { ok = 0, client_error: clientErrors = 0, rate_limited: rateLimited = 0, cancelled = 0 } = outcomes;
  return {
    requests: counts.reduce((sum, count) => sum + count, 0),
    ok,
    errors: outcomesOf('failed').reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0),
    clientErrors,
    rateLimited,
    keyLimited,
    cancelled,
    p50Ms: bucket.totalMs?.p50 ?? null,
    p95Ms: bucket.totalMs?.p95 ?? null,
    firstTokenP50Ms: bucket.firstTokenMs?.p50 ?? null,
    queuedP95Ms: bucket.queuedMs?.p95 ?? null,
    promptTokens: bucket.promptTokens,
    cachedTokens: bucket.cachedTokens,
    completionTokens: bucket.completionTokens,
  };
}

export function toSeries(buckets: readonly LogBucket[], bucketMs: number): OverviewSeries {
  const rows = buckets.map(toTotals);
  return {
    bucketMs,
    t: buckets.map(({ startMs }) => startMs),
    requests: rows.map(({ requests }) => requests),
    ok: rows.map(({ ok }) => ok),
    errors: rows.map(({ errors }) => errors),
    rateLimited: rows.map(({ rateLimited }) => rateLimited),
    p50Ms: rows.map(({ p50Ms }) => p50Ms),
    p95Ms: rows.map(({ p95Ms }) => p95Ms),
    firstTokenP50Ms: rows.map(({ firstTokenP50Ms }) => firstTokenP50Ms),
    queuedP95Ms: rows.map(({ queuedP95Ms }) => queuedP95Ms),
    completionTokens: rows.map(({ completionTokens }) => completionTokens),
  };
}
