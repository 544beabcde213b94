import { type DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { serveCalls } from '../../common/threads/serve-calls.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogFilter } from '../records/log-filter.js';
import { type SeriesRange } from '../records/log-series.js';
import { type UsageQuery } from '../records/usage.js';
import { computeSeries } from './compute-series.js';
import { openForReading } from './log-database.js';
import { type ChangesQuery, RecordSearch } from './record-search.js';
import { selectBreakdown } from './select-breakdown.js';
import { selectRecording } from './select-recording.js';
import { selectUsage } from './usage-table.js';

// The reading thread: a long search blocks neither the event loop nor the writer.

const { path } = workerData as { readonly path: string };
const clock = new SystemClock();
let database: DatabaseSync | undefined;

serveCalls({
  page: (filter: LogFilter) => new RecordSearch(openDatabase(), clock).page(filter),
  unshipped: (filter: LogFilter) => new RecordSearch(openDatabase(), clock).unshipped(filter),
  find: ({ id, unsavedSeq }: { id: string; unsavedSeq?: number }) =>
    new RecordSearch(openDatabase(), clock).find(id, unsavedSeq),
  breakdown: (range: { fromMs: number; toMs: number }) => selectBreakdown(openDatabase(), range),
  recording: (id: string) => selectRecording(openDatabase(), id),
  changes: (query: ChangesQuery) => new RecordSearch(openDatabase(), clock).changes(query),
  usage: (query: UsageQuery) => selectUsage(openDatabase(), query),
  series: (range: SeriesRange) => computeSeries(openDatabase(), range),
});

/** Opens the file anew for each call, since the writing thread may have replaced it. Costs 0.2 ms. */
function openDatabase(): DatabaseSync {
  database?.close();
  database = undefined;
  database = openForReading(path);
  return database;
}
