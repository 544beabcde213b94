import { type Clock } from '../../common/time/clock.js';
import { logDayOf } from '../records/log-day.js';
import { DEFAULT_LIMIT, type LogFilter } from '../records/log-filter.js';
import { hasText, type TextFilter } from '../records/record-match.js';
import { storedText } from '../records/stored-record.js';
import { type ReadChange } from '../store/log-reader.js';
import { orderOfRanking, type Ranked, ranked, TOKENS, wantedRanking } from '../store/ranking.js';
import {
  allOf,
  conditionsOf,
  POSTGRES,
  type SqlCondition,
  textCondition,
  toCondition,
} from '../store/record-condition.js';
import {
  BEYOND,
  type ChangesQuery,
  type FoundPage,
  PAGE_LENGTH,
  searchLimits,
} from '../store/record-search.js';
import { SETTLED } from './feed.js';
import { type SharedConnection } from './shared-connection.js';

/** A record of the shared log, with its JSON. */
export interface SharedRecord extends Ranked {
  readonly node: string;
  readonly text: string;
}

/** A change of a record of another gateway. */
export interface OtherRecord {
  /** Position of the change among those of all nodes. */
  readonly feed: number;
  readonly text: string;
  /** The JSON without texts. */
  readonly brief: string;
}

interface Row extends Ranked {
  readonly node: string;
  /** See `OtherRecord`. */
  readonly feed: number;
  readonly day: number;
  readonly bytes: number;
  readonly isSettled: boolean;
}

interface TextRow extends Row {
  readonly brief: string;
  readonly texts: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

const PLAIN = `day, node, seq, feed, ${SETTLED} AS "isSettled", total_ms AS "totalMs",
  ${TOKENS} AS tokens, queued_ms AS "queuedMs", bytes`;
const TEXTS = `${PLAIN}, brief, texts, request_body AS "requestBody", response_body AS "responseBody"`;

/** Queries the shared log. Rejects with what PostgreSQL says. */
export class SharedSearch {
  private readonly connection: SharedConnection;
  private readonly clock: Clock;

  constructor(connection: SharedConnection, clock: Clock) {
    this.connection = connection;
    this.clock = clock;
  }

  /** As `RecordSearch.page`. Records of one number stay on one page, which may exceed its limit by them. */
  async page(filter: LogFilter): Promise<FoundPage<SharedRecord>> {
    const { limit = DEFAULT_LIMIT, q } = filter;
    const ranking = wantedRanking(filter);
    const { rows: windowRows, limitMs } = searchLimits(filter);
    const deadline = this.clock.monotonic() + limitMs;
    const oldest = Math.max(0, (filter.from ?? 0) * 1000);
    const condition = conditionOf(filter);
    let records: SharedRecord[] = [];
    let room = PAGE_LENGTH;
    let before = filter.before === undefined ? BEYOND : Number(filter.before);
    while (before > oldest) {
      const from = await this.windowStart(before, windowRows);
      const rows = await this.within(from, before, condition, orderOf(filter));
      let searched: number | undefined;
      for (const slice of slicesOf(rows, q)) {
        if (q !== undefined && searched !== undefined && this.clock.monotonic() > deadline) {
          return { records, reached: searched };
        }
        for (const record of await this.read(slice, filter)) {
          const last = records.at(-1);
          const isTogether = last?.seq === record.seq;
          room -= record.text.length;
          if (ranking === undefined && last && !isTogether && (records.length >= limit || room < 0)) {
            return { records, reached: last.seq };
          }
          records.push(record);
        }
        records = ranking === undefined ? records : ranked(records, ranking, limit);
        searched = slice.at(-1)?.seq;
      }
      // One more than a page was read, unless that were all of the window.
      before =
        ranking === undefined && q === undefined && rows.length > limit ? (rows.at(-1)?.seq ?? from) : from;
      if (this.clock.monotonic() > deadline) {
        return { records, reached: before };
      }
    }
    return { records, reached: 0 };
  }

  /** JSON of a request and of its exchanges, oldest first. */
  async find(
    id: string,
  ): Promise<{ readonly entry: string; readonly network: readonly string[] } | undefined> {
    const [entry] = await this.select(`kind = 'request' AND id = ?`, [id], 'ORDER BY seq LIMIT 1');
    if (entry === undefined) {
      return undefined;
    }
    const network = await this.select(
      `kind = 'network' AND request_id = ? AND node = ? AND day BETWEEN ? AND ?`,
      [id, entry.node, entry.day, entry.day + 1],
      'ORDER BY seq LIMIT 500',
    );
    return { entry: jsonOf(entry, true), network: network.map((row) => jsonOf(row, true)) };
  }

  /**
   * The latest `limit` changes of all nodes after a position, or fewer that reach the length of a page, oldest first. Own
   * ones are all among them; the position of one that is not settled is that of the last settled one.
   */
  async changes(
    { after, limit, withTexts, kind, key }: ChangesQuery,
    own: string,
  ): Promise<readonly ReadChange[]> {
    const { sql, values } = allOf([
      { sql: `feed > ? AND (${SETTLED} OR node = ?)`, values: [after, own] },
      ...conditionsOf({ kind, key }, POSTGRES),
    ]);
    const rows = await this.connection.query<Row>(
      numbered(`SELECT ${PLAIN} FROM log_records WHERE ${sql} ORDER BY feed DESC LIMIT ${limit}`),
      values,
    );
    const texts = new Map<string, string>();
    let room = PAGE_LENGTH;
    for (const slice of slicesOf(rows, undefined)) {
      for (const { node, seq, text } of room > 0 ? await this.read(slice, { withTexts }) : []) {
        if (room > 0) {
          texts.set(`${seq} ${node}`, text);
          room -= text.length;
        }
      }
    }
    let position = after;
    return rows.reverse().flatMap(({ node, seq, feed, isSettled }) => {
      const text = texts.get(`${seq} ${node}`);
      // One that has changed since is sent again from its earlier position.
      position = text !== undefined && isSettled ? feed : position;
      return text === undefined ? [] : [{ changed: position, text }];
    });
  }

  /** The first `limit` changes of other nodes after a position, oldest first, and the position that they lead to. */
  async follow(
    after: number,
    own: string,
    limit: number,
  ): Promise<{ readonly records: readonly OtherRecord[]; readonly position: number }> {
    const rows = await this.select(`feed > ? AND ${SETTLED}`, [after], `ORDER BY feed LIMIT ${limit}`);
    return {
      records: rows
        .filter(({ node }) => node !== own)
        .map((row) => ({ feed: row.feed, text: jsonOf(row, true), brief: jsonOf(row, false) })),
      position: rows.at(-1)?.feed ?? after,
    };
  }

  /** Position of the latest change. */
  async position(): Promise<number> {
    const [row] = await this.connection.query<{ feed: number }>(
      `SELECT coalesce(max(feed), 0) AS feed FROM log_records WHERE ${SETTLED}`,
    );
    return row?.feed ?? 0;
  }

  private async windowStart(before: number, rows: number): Promise<number> {
    const [row] = await this.connection.query<{ seq: number }>(
      'SELECT seq FROM log_records WHERE seq < $1 ORDER BY seq DESC LIMIT 1 OFFSET $2',
      [before, rows - 1],
    );
    return row?.seq ?? 0;
  }

  private within(from: number, before: number, { sql, values }: SqlCondition, order: string): Promise<Row[]> {
    const last = before === BEYOND ? 2 ** 31 - 1 : logDayOf(before);
    return this.connection.query<Row>(
      numbered(
        `SELECT ${PLAIN} FROM log_records WHERE day BETWEEN ? AND ? AND seq >= ? AND seq < ? AND ${sql} ORDER BY ${order}`,
      ),
      [logDayOf(from), last, from, before, ...values],
    );
  }

  /** The rows with their texts; of a search, those that have its text. */
  private async read(
    slice: readonly Row[],
    filter: TextFilter & Pick<LogFilter, 'withTexts'>,
  ): Promise<readonly SharedRecord[]> {
    const { q, withTexts = false } = filter;
    const { sql, values } = q === undefined ? { sql: 'true', values: [] } : textCondition(q, POSTGRES);
    const found = await this.connection.query<TextRow>(
      numbered(
        `SELECT ${TEXTS} FROM log_records JOIN unnest(?::integer[], ?::text[], ?::bigint[])
           AS wanted (day, node, seq) USING (day, node, seq) WHERE ${sql}`,
      ),
      [slice.map(({ day }) => day), slice.map(({ node }) => node), slice.map(({ seq }) => seq), ...values],
    );
    const byKey = new Map(found.map((row) => [`${row.seq} ${row.node}`, row]));
    return slice.flatMap(({ seq, node }) => {
      const row = byKey.get(`${seq} ${node}`);
      if (!row || (q !== undefined && !hasText(jsonOf(row, true), filter))) {
        return [];
      }
      const { totalMs, tokens, queuedMs } = row;
      return [{ node, seq, totalMs, tokens, queuedMs, text: jsonOf(row, withTexts) }];
    });
  }

  private select(where: string, values: readonly unknown[], tail: string): Promise<TextRow[]> {
    return this.connection.query<TextRow>(
      numbered(`SELECT ${TEXTS} FROM log_records WHERE ${where} ${tail}`),
      values,
    );
  }
}

/** A few rows at a time, so that no more is read than a page takes, and a search can end in between; no number is in two. */
function* slicesOf(rows: readonly Row[], q: string | undefined): Iterable<readonly Row[]> {
  const most = q === undefined ? DEFAULT_LIMIT : rows.length;
  for (let from = 0; from < rows.length;) {
    let bytes = 0;
    let to = from;
    do {
      bytes += rows[to]?.bytes ?? 0;
      to++;
    } while (
      to < rows.length &&
      ((to - from < most && bytes < PAGE_LENGTH) || rows[to]?.seq === rows[to - 1]?.seq)
    );
    yield rows.slice(from, to);
    from = to;
  }
}

/** The conditions but for the text, which is looked for in a few records at a time. */
function conditionOf(filter: LogFilter): SqlCondition {
  const { node } = filter;
  return allOf([
    toCondition(filter, POSTGRES),
    ...(node === undefined ? [] : [{ sql: 'node = ?', values: [node] }]),
  ]);
}

/** Order and limit of a window's rows. A search in texts cannot know how many records it needs, nor which come first. */
function orderOf(filter: LogFilter): string {
  const { limit = DEFAULT_LIMIT, q } = filter;
  const ranking = wantedRanking(filter);
  if (q !== undefined) {
    return 'seq DESC, node';
  }
  return ranking === undefined
    ? `seq DESC FETCH FIRST ${limit + 1} ROWS WITH TIES`
    : `${orderOfRanking(ranking)} LIMIT ${limit}`;
}

/** The statement with PostgreSQL's parameters. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}

function jsonOf(row: TextRow, withTexts: boolean): string {
  return withNode(withTexts ? storedText(row) : row.brief, row.node);
}

/** The JSON of a record with the name of its node. */
export function withNode(json: string, node: string): string {
  return `${json.slice(0, -1)},"node":${JSON.stringify(node)}}`;
}
