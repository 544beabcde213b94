import { ensureDays, forgetDays } from './log-days.js';
import { type Outgoing, RECORD_COLUMNS, type RecordRow } from './outgoing-records.js';
import { type Query, type SharedConnection } from './shared-connection.js';

/** Channel on which a batch is announced. */
export const FEED_CHANNEL = 'log_feed';
/** Microseconds of a day; a record's number is its time in microseconds, or slightly above. */
const DAY_US = 86_400_000_000;

const NAMES = Object.keys(RECORD_COLUMNS) as (keyof typeof RECORD_COLUMNS)[];
const LATER = NAMES.filter((name) => name !== 'seq');

/**
 * Numbers of the feed are drawn after the transaction has its own number, so that readers who wait for the end of all
 * earlier transactions miss none. A state never replaces a later one. A record that others have closed as crashed takes
 * its true end, but not the same end twice.
 */
const UPSERT = `
  INSERT INTO log_records (day, node, ${NAMES.join(', ')}, feed, writer)
  SELECT day, $1, ${NAMES.join(', ')}, nextval('log_feed'), pg_current_xact_id()
  FROM unnest($2::integer[], ${NAMES.map((name, at) => `$${at + 3}::${RECORD_COLUMNS[name]}[]`).join(', ')})
    AS shipped (day, ${NAMES.join(', ')})
  ON CONFLICT (day, node, seq) DO UPDATE
  SET ${LATER.map((name) => `${name} = excluded.${name}`).join(', ')},
    feed = excluded.feed, writer = excluded.writer
  WHERE log_records.changed < excluded.changed
    AND NOT (log_records.outcome = 'crashed' AND excluded.outcome = 'crashed')`;

/** Day of a record, counted from 1970. */
export function logDayOf(seq: number): number {
  return Math.floor(seq / DAY_US);
}

/** Writes records of one node to the shared log. */
export class RecordShipment {
  private readonly connection: SharedConnection;
  private readonly node: string;

  constructor(connection: SharedConnection, node: string) {
    this.connection = connection;
    this.node = node;
  }

  /**
   * Writes a batch. Rejects if none of it could be written.
   * @param firstDay records of earlier days are too old to be kept
   * @returns number of records that can never be stored
   */
  async send({ rows, removed }: Pick<Outgoing, 'rows' | 'removed'>, firstDay: number): Promise<number> {
    const kept = rows.filter(({ seq }) => logDayOf(seq) >= firstDay);
    await ensureDays(this.connection, new Set(kept.map(({ seq }) => logDayOf(seq))));
    try {
      await this.write(kept, removed);
      return 0;
    } catch (error) {
      if (!isValueFault(error)) {
        forgetDays(this.connection);
        throw error;
      }
      return await this.writeOneByOne(kept, removed);
    }
  }

  private async writeOneByOne(rows: readonly RecordRow[], removed: readonly number[]): Promise<number> {
    await this.write([], removed);
    let rejected = 0;
    for (const row of rows) {
      await this.write([row], []).catch((error: unknown) => {
        if (!isValueFault(error)) {
          throw error;
        }
        rejected++;
      });
    }
    return rejected;
  }

  private write(rows: readonly RecordRow[], removed: readonly number[]): Promise<void> {
    return this.connection.transaction(async (query) => {
      await query('SELECT pg_current_xact_id()');
      if (rows.length > 0) {
        const columns = NAMES.map((name) => rows.map((row) => storable(row[name])));
        await query(UPSERT, [this.node, rows.map(({ seq }) => logDayOf(seq)), ...columns]);
      }
      if (removed.length > 0) {
        await query('DELETE FROM log_records WHERE node = $1 AND day = ANY ($2) AND seq = ANY ($3)', [
          this.node,
          [...new Set(removed.map(logDayOf))],
          removed,
        ]);
      }
      await announce(query);
    });
  }
}

/** Wakes those who follow the feed, once the transaction has ended. */
export async function announce(query: Query): Promise<void> {
  await query(`NOTIFY ${FEED_CHANNEL}`);
}

/** PostgreSQL's texts cannot hold NUL. */
function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

/** Code of PostgreSQL for a row of a day that has no table: another node has deleted it. */
const NO_TABLE = '23514';

/** Whether an error is about the values of a record: data exceptions, broken constraints, exceeded limits. */
function isValueFault(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code !== NO_TABLE && /^(22|23|54)/.test(code);
}
