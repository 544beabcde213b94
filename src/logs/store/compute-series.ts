import { type DatabaseSync } from 'node:sqlite';
import { type LogOutcome } from '../records/log-filter.js';
import { type LogBucket, type Percentiles, type SeriesRange } from '../records/log-series.js';

type Row = readonly [
  startedAt: number,
  outcome: LogOutcome,
  totalMs: number | null,
  firstTokenMs: number | null,
  promptTokens: number,
  completionTokens: number,
];

interface BucketSums {
  readonly outcomes: Partial<Record<LogOutcome, number>>;
  readonly totalMs: number[];
  readonly firstTokenMs: number[];
  promptTokens: number;
  completionTokens: number;
}

/** Aggregates the stored completions of a range into buckets. Throws what SQLite throws. */
export function computeSeries(database: DatabaseSync, { fromMs, toMs, bucketMs }: SeriesRange): LogBucket[] {
  const buckets: BucketSums[] = [];
  for (let start = fromMs; start < toMs; start += bucketMs) {
    buckets.push({ outcomes: {}, totalMs: [], firstTokenMs: [], promptTokens: 0, completionTokens: 0 });
  }
  // A seq is never below its time in microseconds, so the primary key bounds the scan.
  const statement = database.prepare(
    `SELECT started_at, outcome, total_ms, first_token_ms, prompt_tokens, completion_tokens FROM records
     WHERE seq >= ? AND is_completion = 1 AND started_at >= ? AND started_at < ?`,
  );
  statement.setReturnArrays(true);
  for (const row of statement.iterate(fromMs * 1000, fromMs, toMs)) {
    const [startedAt, ...rest] = row as unknown as Row;
    addRow(buckets[Math.floor((startedAt - fromMs) / bucketMs)], rest);
  }
  return buckets.map((bucket, index) => toBucket(fromMs + index * bucketMs, bucket));
}

function addRow(
  bucket: BucketSums | undefined,
  [outcome, totalMs, firstTokenMs, promptTokens, completionTokens]: Row extends readonly [
    unknown,
    ...infer Rest,
  ]
    ? readonly [...Rest]
    : never,
): void {
  if (bucket === undefined) {
    return;
  }
  bucket.outcomes[outcome] = (bucket.outcomes[outcome] ?? 0) + 1;
  bucket.promptTokens += promptTokens;
  bucket.completionTokens += completionTokens;
  if (outcome === 'ok' && totalMs !== null) {
    bucket.totalMs.push(totalMs);
  }
  if (outcome === 'ok' && firstTokenMs !== null) {
    bucket.firstTokenMs.push(firstTokenMs);
  }
}

function toBucket(startMs: number, sums: BucketSums): LogBucket {
  const totalMs = percentiles(sums.totalMs);
  const firstTokenMs = percentiles(sums.firstTokenMs);
  return {
    startMs,
    outcomes: sums.outcomes,
    ...(totalMs && { totalMs }),
    ...(firstTokenMs && { firstTokenMs }),
    promptTokens: sums.promptTokens,
    completionTokens: sums.completionTokens,
  };
}

/** Nearest-rank percentiles; undefined without values. */
function percentiles(values: readonly number[]): Percentiles | undefined {
  if (values.length === 0) {
    return undefined;
  }
  const sorted = Float64Array.from(values).sort();
  const at = (rank: number): number => sorted[Math.ceil(rank * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
