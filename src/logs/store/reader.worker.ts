import { type DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { SystemClock } from '../../common/time/clock.js';
import { type LogFilter } from '../records/log-filter.js';
import { type SeriesRange } from '../records/log-series.js';
import { computeSeries } from './compute-series.js';
import { openForReading } from './log-database.js';
import { RecordReader } from './record-reader.js';
import { serveCalls } from './serve-calls.js';

/** The thread that reads the store, so that a long search holds nobody up, not even who writes. */

const { path } = workerData as { readonly path: string };
const clock = new SystemClock();
let database: DatabaseSync | undefined;

serveCalls({
  page: ({ filter, withTexts }: { filter: LogFilter; withTexts: boolean }) =>
    new RecordReader(opened(), clock).page(filter, withTexts),
  find: ({ id, unsavedSeq }: { id: string; unsavedSeq?: number }) =>
    new RecordReader(opened(), clock).find(id, unsavedSeq),
  changes: (query: { after: number; limit: number; withTexts: boolean; kind?: 'request' | 'network' }) =>
    new RecordReader(opened(), clock).changes(query),
  series: (range: SeriesRange) => computeSeries(opened(), range),
});

/** Opened anew for each call: another thread may have replaced the file. It costs 0.2 ms. */
function opened(): DatabaseSync {
  database?.close();
  database = undefined;
  database = openForReading(path);
  return database;
}
