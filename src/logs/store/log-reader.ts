import { type Breakdown } from '../records/breakdown.js';
import { type LogFilter } from '../records/log-filter.js';
import { type LogSeries, type SeriesRange } from '../records/log-series.js';
import { type UsageQuery, type UsageRow } from '../records/usage.js';
import { type ChangesQuery, type FoundRecord } from './record-search.js';

/** A page of records as JSON. */
export interface TextPage {
  /** Newest first. */
  readonly texts: readonly string[];
  /** Cursor for `before` of the next page; null after the last. */
  readonly next: string | null;
}

/** JSON of a request and of its exchanges, oldest first. */
export interface StoredRequest {
  readonly entry: string;
  readonly network: readonly string[];
}

/** A change as it is sent to followers. */
export type ReadChange = Pick<FoundRecord, 'changed' | 'text'>;

/** The stored log, as it is read: that of this gateway, or that of several. */
export interface LogReader {
  page(filter: LogFilter): Promise<TextPage>;
  /** JSON of a request and of its exchanges; undefined if there is no such request. */
  find(id: string): Promise<StoredRequest | undefined>;
  /**
   * The latest `limit` changes after a cursor, or fewer whose texts reach the length of a page, oldest first; `changed`
   * is the cursor of each.
   */
  changes(query: ChangesQuery): Promise<readonly ReadChange[]>;
  series(range: SeriesRange): Promise<LogSeries>;
  /** JSON of the recording that a request was kept with; undefined without one. Recordings stay in the file. */
  recording(id: string): Promise<string | undefined>;
  /** @throws WorkerCallError if it cannot be read */
  usage(query: UsageQuery): Promise<readonly UsageRow[]>;
  /** Figures of the completions of a range, in Unix milliseconds. Of this gateway's own file, like `recording`. */
  breakdown(range: { readonly fromMs: number; readonly toMs: number }): Promise<Breakdown>;
}
