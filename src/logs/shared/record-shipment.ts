import { feedPosition } from './feed.js';
import { DAY_US, ensureDays, forgetDays, logDayOf } from './log-days.js';
import { type Outgoing, type OutgoingText, RECORD_COLUMNS } from './outgoing-records.js';
import { type UsageBatch } from './outgoing-usage.js';
import { type Query, type SharedConnection } from './shared-connection.js';
import { SHIP_USAGE } from './shared-usage.js';

/** Channel on which a batch is announced. */
export const FEED_CHANNEL = 'log_feed';

const NAMES = Object.keys(RECORD_COLUMNS) as (keyof typeof RECORD_COLUMNS)[];
const LATER = NAMES.filter((name) => name !== 'seq');

/**
 * One statement, since each costs the gateway's processor as much as ten records. A state never replaces a later one. A
 * record that others have closed as crashed takes its true end, but not the same end twice.
 */
const SHIP = `
  WITH put AS (
    INSERT INTO log_records (day, node, ${NAMES.join(', ')}, feed)
    SELECT seq / ${DAY_US}, $1::text, ${NAMES.join(', ')}, ${feedPosition('row_number() OVER ()')}
    FROM json_to_recordset($2::json)
      AS shipped (${NAMES.map((name) => `${name} ${RECORD_COLUMNS[name]}`).join(', ')})
    ON CONFLICT (day, node, seq) DO UPDATE
    SET ${LATER.map((name) => `${name} = excluded.${name}`).join(', ')}, feed = excluded.feed
    WHERE log_records.changed < excluded.changed
      AND NOT (log_records.outcome = 'crashed' AND excluded.outcome = 'crashed')
  ), gone AS (
    DELETE FROM log_records WHERE node = $1 AND day = ANY ($3) AND seq = ANY ($4)
  ), ${SHIP_USAGE}
  SELECT pg_notify('${FEED_CHANNEL}', '')`;

const NO_USAGE: UsageBatch = { source: '', rows: [], numbers: [], isLast: true };
const NO_RECORDS = Buffer.from('[]');
const NOTHING_ELSE = { removed: [], usage: NO_USAGE };

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
   * @returns number of records that can never be stored
   */
  async send(batch: Outgoing): Promise<number> {
    const { records } = batch;
    await ensureDays(this.connection, new Set(records?.days));
    try {
      await this.write(records?.json ?? NO_RECORDS, batch);
      return 0;
    } catch (error) {
      if (!isValueFault(error)) {
        forgetDays(this.connection);
        throw error;
      }
      await this.write(NO_RECORDS, batch);
      return records ? await this.writeOneByOne(records) : 0;
    }
  }

  private async writeOneByOne({ json }: OutgoingText): Promise<number> {
    let rejected = 0;
    for (const record of JSON.parse(json.toString()) as unknown[]) {
      await this.write(Buffer.from(JSON.stringify([record]))).catch((error: unknown) => {
        if (!isValueFault(error)) {
          throw error;
        }
        rejected++;
      });
    }
    return rejected;
  }

  private async write(
    records: Buffer,
    { removed, usage }: Pick<Outgoing, 'removed' | 'usage'> = NOTHING_ELSE,
  ): Promise<void> {
    const { source, rows } = usage;
    await this.connection.query(SHIP, [
      this.node,
      records.includes(NUL) ? storable(records.toString()) : records,
      [...new Set(removed.map(logDayOf))],
      removed,
      storable(JSON.stringify(rows.map((row) => ({ source, ...row })))),
    ]);
  }
}

/** Wakes those who follow the feed, once the transaction has ended. */
export async function announce(query: Query): Promise<void> {
  await query(`NOTIFY ${FEED_CHANNEL}`);
}

/** As JSON writes it. */
const NUL = '\\u0000';

/** PostgreSQL's texts cannot hold NUL. */
function storable(json: string): string {
  const clean = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
  return json.includes(NUL) ? JSON.stringify(JSON.parse(json, clean)) : json;
}

/** Code of PostgreSQL for a row of a day that has no table: another node has deleted it. */
const NO_TABLE = '23514';

/** Whether an error is about the values of a record: data exceptions, broken constraints, exceeded limits. */
function isValueFault(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code !== NO_TABLE && /^(22|23|54)/.test(code);
}
