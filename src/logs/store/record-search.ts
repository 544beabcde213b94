import { type DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Clock } from '../../common/time/clock.js';
import { DEFAULT_LIMIT, type LogFilter, type LogKind } from '../records/log-filter.js';
import { hasText } from '../records/record-match.js';
import { orderOfRanking, type Ranked, ranked, TOKENS, wantedRanking } from './ranking.js';
import {
  allOf,
  conditionsOf,
  type SqlCondition,
  SQLITE,
  textCondition,
  toCondition,
} from './record-condition.js';

/** Rows scanned per statement, and the time limit of one search, which is checked between statements. */
const COLUMN_SEARCH = { rows: 20_000, limitMs: 1000 };
/** The same for a search in texts, whose pages are short, so that the client continues from them soon. */
const TEXT_SEARCH = { rows: 1000, limitMs: 200 };
/** Most characters of a page's texts, but for its first record: a page of 500 whole records could take gigabytes. */
export const PAGE_LENGTH = 2 ** 24;
/** Above every `seq`. */
export const BEYOND = Number.MAX_SAFE_INTEGER;

/** A stored record with its JSON. */
export interface FoundRecord extends Ranked {
  readonly changed: number;
  readonly id: string;
  readonly text: string;
}

export interface FoundPage<Found extends Ranked = FoundRecord> {
  /** Newest first. */
  readonly records: readonly Found[];
  /** Inclusive lower bound of the searched `seq`s; 0 if the search is complete. */
  readonly reached: number;
}

export interface FoundOutbox extends FoundPage {
  /** Numbers of all records in the outbox. */
  readonly seqs: readonly number[];
}

export interface FoundRequest {
  /** Undefined if the request is not stored yet. */
  readonly entry: FoundRecord | undefined;
  readonly network: readonly FoundRecord[];
}

/** Query for the changes after a number. */
export interface ChangesQuery {
  readonly after: number;
  readonly limit: number;
  readonly withTexts: boolean;
  readonly kind?: LogKind | undefined;
  /** Name of the caller's key. */
  readonly key?: string | undefined;
}

/** Queries an open file. Throws what SQLite throws. */
export class RecordSearch {
  private readonly database: DatabaseSync;
  private readonly clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /** A search that exceeds its time limit, or the length of a page, returns early, with `reached` above 0. */
  page(filter: LogFilter): FoundPage {
    // A record's number is its time in microseconds, or above.
    return this.search(filter, toCondition(filter, SQLITE), Math.max(0, (filter.from ?? 0) * 1000));
  }

  /** The same among the records that are in the outbox, which may change meanwhile, and the numbers of all of them. */
  unshipped(filter: LogFilter): FoundOutbox {
    // One snapshot: what is taken out in between would be in neither.
    this.database.exec('BEGIN');
    try {
      const seqs = this.database
        .prepare(`${WAITING} ORDER BY seq`)
        .all()
        .map(({ seq }) => Number(seq));
      const isWaiting = { sql: `seq IN (${WAITING})`, values: [] };
      const condition = allOf([toCondition(filter, SQLITE), isWaiting]);
      const oldest = (seqs[0] ?? BEYOND + 1) - 1;
      return { ...this.search(filter, condition, oldest), seqs };
    } finally {
      this.database.exec('COMMIT');
    }
  }

  /** @param unsavedSeq `seq` of the request if it is not stored yet; its exchanges may be */
  find(id: string, unsavedSeq: number | undefined): FoundRequest | undefined {
    const [entry] = [...this.select(`kind = 'request' AND id = ?`, [id], 'ORDER BY seq LIMIT 1', true)];
    const seq = entry?.seq ?? unsavedSeq;
    if (seq === undefined) {
      return undefined;
    }
    // An exchange begins after its request.
    const network = this.select(
      `kind = 'network' AND request_id = ? AND seq > ?`,
      [id, seq],
      'ORDER BY seq LIMIT 500',
      true,
    );
    return { entry, network: [...network] };
  }

  /** The latest `limit` changes after a number, or fewer that reach the length of a page, oldest first. */
  changes({ after, limit, withTexts, kind, key }: ChangesQuery): FoundRecord[] {
    const conditions = [{ sql: 'changed > ?', values: [after] }, ...conditionsOf({ kind, key }, SQLITE)];
    const latest = first(allOf(conditions), 'changed DESC', limit);
    return [
      ...uptoPageLength(this.select(latest.sql, latest.values, 'ORDER BY changed DESC', withTexts)),
    ].reverse();
  }

  private search(filter: LogFilter, condition: SqlCondition, oldest: number): FoundPage {
    const { limit = DEFAULT_LIMIT } = filter;
    const ranking = wantedRanking(filter);
    const { rows, limitMs } = searchLimits(filter);
    const deadline = this.clock.monotonic() + limitMs;
    let records: FoundRecord[] = [];
    let room = PAGE_LENGTH;
    let before = filter.before === undefined ? BEYOND : Number(filter.before);
    while (before > oldest) {
      const from = this.windowStart(before, rows);
      const window = { from, before, limit };
      for (const record of this.within(window, condition, filter)) {
        room -= record.text.length;
        const isFull = ranking === undefined && records.length === limit;
        if (isFull || (room < 0 && records.length > 0)) {
          return { records, reached: records.at(-1)?.seq ?? before };
        }
        records.push(record);
      }
      if (ranking !== undefined) {
        records = ranked(records, ranking, limit);
      }
      before = from;
      if (this.clock.monotonic() > deadline) {
        return { records, reached: before };
      }
    }
    return { records, reached: 0 };
  }

  private windowStart(before: number, rows: number): number {
    const start = this.database
      .prepare('SELECT seq FROM records WHERE seq < ? ORDER BY seq DESC LIMIT 1 OFFSET ?')
      .get(before, rows - 1);
    return Number(start?.seq ?? 0);
  }

  /** The matching records of a window, read one by one, newest first; of a ranking its first `limit`. */
  private *within(
    { from, before, limit }: { readonly from: number; readonly before: number; readonly limit: number },
    condition: SqlCondition,
    filter: LogFilter,
  ): Iterable<FoundRecord> {
    const { q, withTexts = false } = filter;
    const ranking = wantedRanking(filter);
    const inWindow = allOf([{ sql: 'seq >= ? AND seq < ?', values: [from, before] }, condition]);
    if (q === undefined) {
      const { sql, values } =
        ranking === undefined ? inWindow : first(inWindow, orderOfRanking(ranking), limit);
      yield* this.select(sql, values, 'ORDER BY seq DESC', withTexts);
      return;
    }
    const { sql, values } = allOf([inWindow, textCondition(q, SQLITE)]);
    for (const record of this.select(sql, values, 'ORDER BY seq DESC', true)) {
      if (hasText(record.text, filter)) {
        yield withTexts ? record : this.withoutTexts(record);
      }
    }
  }

  private withoutTexts(record: FoundRecord): FoundRecord {
    const row = this.database.prepare('SELECT brief FROM texts WHERE seq = ?').get(record.seq);
    return { ...record, text: String(row?.brief) };
  }

  private select(
    where: string,
    values: readonly SQLInputValue[],
    tail: string,
    withTexts: boolean,
  ): Iterable<FoundRecord> {
    const text = withTexts ? TEXT : 'brief';
    // SQLite keeps the order of a CROSS JOIN: the small table is scanned first.
    return this.database
      .prepare(
        `SELECT seq, changed, id, total_ms AS totalMs, ${TOKENS} AS tokens, queued_ms AS queuedMs, ${text} AS text FROM records CROSS JOIN texts USING (seq) WHERE ${where} ${tail}`,
      )
      .iterate(...values) as unknown as Iterable<FoundRecord>;
  }
}

/** The first records, up to the one with which their texts reach the length of a page. */
export function* uptoPageLength<T extends { readonly text: string }>(records: Iterable<T>): Iterable<T> {
  let room = PAGE_LENGTH;
  for (const record of records) {
    yield record;
    room -= record.text.length;
    if (room <= 0) {
      return;
    }
  }
}

/** Limits of a search for a filter. */
export function searchLimits({ q }: LogFilter): { readonly rows: number; readonly limitMs: number } {
  return q === undefined ? COLUMN_SEARCH : TEXT_SEARCH;
}

/** The first records in an order. They are chosen by their columns, so that the JSON is read of no others. */
function first({ sql, values }: SqlCondition, order: string, limit: number): SqlCondition {
  return { sql: `seq IN (SELECT seq FROM records WHERE ${sql} ORDER BY ${order} LIMIT ${limit})`, values };
}

/** Numbers of the records in the outbox. */
const WAITING = 'SELECT DISTINCT value AS seq FROM outbox_rows, json_each(seqs)';

/** `textOf` in SQL. */
const TEXT = `CASE WHEN texts GLOB '{*' THEN texts
  WHEN texts IS NOT NULL THEN substr(brief, 1, length(brief) - 1) || texts
  ELSE substr(brief, 1, length(brief) - 1) ||
    ${member('requestBody', 'request_body')} || ${member('responseBody', 'response_body')} || '}' END`;

function member(name: string, column: string): string {
  return `iif(${column} IS NULL, '', ',"${name}":' || json_quote(${column}))`;
}
