import { type DatabaseSync } from 'node:sqlite';
import { type LogOutcome } from '../records/log-filter.js';
import { type LogBucket, type LogSeries, percentiles, type SeriesRange } from '../records/log-series.js';
import { SQLITE } from './record-condition.js';

/** Completions read at once: iterating over them one by one takes half as long again. */
const CHUNK = 4000;

type Row = readonly [
  seq: number,
  startedAt: number,
  outcome: LogOutcome,
  totalMs: number | null,
  firstTokenMs: number | null,
  promptTokens: number,
  completionTokens: number,
  isKeyLimited: 0 | 1,
  queuedMs: number | null,
  cachedTokens: number | null,
];

interface BucketSums {
  readonly outcomes: Partial<Record<LogOutcome, number>>;
  keyLimited: number;
  readonly totalMs: number[];
  readonly firstTokenMs: number[];
  readonly queuedMs: number[];
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
}

/** Aggregates the stored completions of a range, each read once. Throws what SQLite throws. */
export function computeSeries(database: DatabaseSync, range: SeriesRange): LogSeries {
  const { fromMs, toMs, bucketMs } = range;
  const buckets: BucketSums[] = [];
  for (let start = fromMs; start < toMs; start += bucketMs) {
    buckets.push(emptySums());
  }
  for (const rows of completionsIn(database, range)) {
    for (const row of rows) {
      addRow(buckets[Math.floor((row[1] - fromMs) / bucketMs)], row);
    }
  }
  return {
    whole: toBucket(fromMs, sumOf(buckets)),
    buckets: buckets.map((bucket, index) => toBucket(fromMs + index * bucketMs, bucket)),
  };
}

function* completionsIn(database: DatabaseSync, { fromMs, toMs }: SeriesRange): Iterable<readonly Row[]> {
  // A seq is never below its time in microseconds, so the primary key bounds the scan.
  const statement = database.prepare(
    `SELECT seq, started_at, outcome, total_ms, first_token_ms, prompt_tokens, completion_tokens,
       outcome = 'rate_limited' AND ${SQLITE.reason} = 'key_limited', queued_ms, cached_tokens
     FROM records
     WHERE seq >= ? AND is_completion = 1 AND started_at >= ? AND started_at < ? ORDER BY seq LIMIT ${CHUNK}`,
  );
  statement.setReturnArrays(true);
  for (let from: number | undefined = fromMs * 1000; from !== undefined;) {
    const rows = statement.all(from, fromMs, toMs) as unknown as readonly Row[];
    yield rows;
    const last = rows.length === CHUNK ? rows.at(-1) : undefined;
    from = last && last[0] + 1;
  }
}

function emptySums(): BucketSums {
  return {
    outcomes: {},
    keyLimited: 0,
    totalMs: [],
    firstTokenMs: [],
    queuedMs: [],
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
  };
}

function addRow(bucket: BucketSums | undefined, row: Row): void {
  if (bucket === undefined) {
    return;
  }
  // By index: to take an array apart costs more than the rest.
  const outcome = row[2];
  const totalMs = row[3];
  const firstTokenMs = row[4];
  const queuedMs = row[8];
  bucket.outcomes[outcome] = (bucket.outcomes[outcome] ?? 0) + 1;
  bucket.promptTokens += row[5];
  bucket.completionTokens += row[6];
  bucket.keyLimited += row[7];
  bucket.cachedTokens += row[9] ?? 0;
  if (outcome === 'ok' && totalMs !== null) {
    bucket.totalMs.push(totalMs);
  }
  if (outcome === 'ok' && firstTokenMs !== null) {
    bucket.firstTokenMs.push(firstTokenMs);
  }
  if (outcome === 'ok' && queuedMs !== null) {
    bucket.queuedMs.push(queuedMs);
  }
}

function sumOf(buckets: readonly BucketSums[]): BucketSums {
  const outcomes: BucketSums['outcomes'] = {};
  for (const [outcome, count] of buckets.flatMap((bucket) => Object.entries(bucket.outcomes))) {
    outcomes[outcome as LogOutcome] = (outcomes[outcome as LogOutcome] ?? 0) + count;
  }
  return {
    outcomes,
    keyLimited: buckets.reduce((sum, { keyLimited }) => sum + keyLimited, 0),
    totalMs: buckets.flatMap(({ totalMs }) => totalMs),
    firstTokenMs: buckets.flatMap(({ firstTokenMs }) => firstTokenMs),
    queuedMs: buckets.flatMap(({ queuedMs }) => queuedMs),
    promptTokens: buckets.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    cachedTokens: buckets.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
    completionTokens: buckets.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  };
}

function toBucket(startMs: number, sums: BucketSums): LogBucket {
  const totalMs = percentiles(sums.totalMs);
  const firstTokenMs = percentiles(sums.firstTokenMs);
  const queuedMs = percentiles(sums.queuedMs);
  return {
    startMs,
    outcomes: sums.outcomes,
    keyLimited: sums.keyLimited,
    ...(totalMs && { totalMs }),
    ...(firstTokenMs && { firstTokenMs }),
    ...(queuedMs && { queuedMs }),
    promptTokens: sums.promptTokens,
    cachedTokens: sums.cachedTokens,
    completionTokens: sums.completionTokens,
  };
}
