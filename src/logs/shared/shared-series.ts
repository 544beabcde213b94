import { logDayOf } from '../records/log-day.js';
import { type LogOutcome } from '../records/log-filter.js';
import { type LogBucket, type LogSeries, type Percentiles, type SeriesRange } from '../records/log-series.js';
import { POSTGRES } from '../store/record-condition.js';
import { type SharedConnection } from './shared-connection.js';

interface OutcomeRow {
  /** Null for all buckets together. */
  readonly bucket: number | null;
  readonly outcome: LogOutcome;
  readonly count: number;
  readonly keyLimited: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly totalMs: readonly number[] | null;
  readonly firstTokenMs: readonly number[] | null;
  readonly queuedMs: readonly number[] | null;
}

/** As `computeSeries`: `percentile_disc` is the nearest rank, too. */
const SERIES = `
  SELECT floor((started_at - $1::bigint) / $3::float8)::integer AS bucket, outcome, count(*) AS count,
    count(*) FILTER (WHERE outcome = 'rate_limited' AND ${POSTGRES.reason} = 'key_limited') AS "keyLimited",
    sum(prompt_tokens)::bigint AS "promptTokens", coalesce(sum(cached_tokens), 0)::bigint AS "cachedTokens",
    sum(completion_tokens)::bigint AS "completionTokens",
    percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY total_ms) AS "totalMs",
    percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY first_token_ms) AS "firstTokenMs",
    percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY queued_ms) AS "queuedMs"
  FROM log_records
  WHERE day >= $4 AND is_completion = 1 AND started_at >= $1::bigint AND started_at < $2::bigint
  GROUP BY GROUPING SETS ((1, 2), (2))`;

/** Aggregates the completions of all nodes in a range. Rejects with what PostgreSQL says. */
export async function sharedSeries(
  connection: SharedConnection,
  { fromMs, toMs, bucketMs }: SeriesRange,
): Promise<LogSeries> {
  const rows = await connection.query<OutcomeRow>(SERIES, [fromMs, toMs, bucketMs, logDayOf(fromMs * 1000)]);
  const byBucket = Map.groupBy(rows, ({ bucket }) => bucket);
  const buckets: LogBucket[] = [];
  for (let start = fromMs; start < toMs; start += bucketMs) {
    buckets.push(bucketOf(start, byBucket.get(buckets.length)));
  }
  return { whole: bucketOf(fromMs, byBucket.get(null)), buckets };
}

function bucketOf(startMs: number, rows: readonly OutcomeRow[] = []): LogBucket {
  const ok = rows.find(({ outcome }) => outcome === 'ok');
  const totalMs = percentiles(ok?.totalMs);
  const firstTokenMs = percentiles(ok?.firstTokenMs);
  const queuedMs = percentiles(ok?.queuedMs);
  return {
    startMs,
    outcomes: Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count])),
    keyLimited: rows.reduce((sum, { keyLimited }) => sum + keyLimited, 0),
    ...(totalMs && { totalMs }),
    ...(firstTokenMs && { firstTokenMs }),
    ...(queuedMs && { queuedMs }),
    promptTokens: rows.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    cachedTokens: rows.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
    completionTokens: rows.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  };
}

/** Undefined without values. */
function percentiles(values: readonly number[] | null | undefined): Percentiles | undefined {
  const [p50, p95] = values ?? [];
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}
