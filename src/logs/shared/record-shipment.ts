import { type PgQuery } from '../../common/store/pg-client.js';
import { decodeRecords, encodeRecords, SENT_COLUMNS, type SentRecord } from '../outbox/encoded-records.js';
import { type Outgoing } from '../outbox/outgoing-records.js';
import { type UsageBatch } from '../outbox/outgoing-usage.js';
import { DAY_US, logDayOf } from '../records/log-day.js';
import { FEED_CHANNEL, feedPosition, IS_FOLLOWED } from './feed.js';
import { ensureDays, forgetDays } from './log-days.js';
import { type SharedConnection } from './shared-connection.js';
import { SHIP_USAGE } from './shared-usage.js';

/** The columns that are read from the `brief` of a record, as `toStoredRecord` does in the file: see `BRIEF_MEMBERS`. */
const BRIEF_COLUMNS = {
  kind: 'kind',
  id: 'id',
  request_id: '"requestId"',
  started_at: '"startedAt"',
  status: 'status',
  key_name: 'key',
  model: 'model',
  account: 'account',
  conversation: 'conversation',
  client: "coalesce(client, '')",
  reason: "coalesce(error ->> 'reason', '')",
  is_completion: "coalesce(operation = 'completion', false)::integer",
  is_stranger: 'coalesce("isStranger", false)::integer',
  total_ms: '"totalMs"',
  first_token_ms: '"firstTokenMs"',
  queued_ms: '"queuedMs"',
  prompt_tokens: "coalesce((usage ->> 'promptTokens')::bigint, 0)",
  cached_tokens: "coalesce((usage ->> 'cachedTokens')::bigint, 0)",
  completion_tokens: "coalesce((usage ->> 'completionTokens')::bigint, 0)",
};
const BRIEF_MEMBERS = `kind text, id text, "requestId" text, "startedAt" bigint, status integer, key text, model text, account text,
  conversation text, client text, error json, operation text, "isStranger" boolean, "totalMs" double precision,
  "firstTokenMs" double precision, "queuedMs" double precision, usage json`;

const SOURCES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SENT_COLUMNS.map(({ name }) => [name, `sent.${name}`])),
  ...BRIEF_COLUMNS,
};
const NAMES = Object.keys(SOURCES);
const LATER = NAMES.filter((name) => name !== 'seq');

/** A parameter for each column, after those of the other parts. */
const ARRAYS = SENT_COLUMNS.map(({ type }, at) => `$${at + 5}::${type}[]`).join(', ');

/**
 * One statement, since each costs the gateway's processor as much as ten records. A state never replaces a later one. A
 * record that others have closed as crashed takes its true end, but not the same end twice. Records are removed whose end
 * is lost, and none that has one here.
 */
const SHIP = `
  WITH put AS (
    INSERT INTO log_records (day, node, ${NAMES.join(', ')}, feed)
    SELECT seq / ${DAY_US}, $1::text, ${Object.values(SOURCES).join(', ')}, ${feedPosition('row_number() OVER ()')}
    FROM (
      SELECT DISTINCT ON (seq) * FROM unnest(${ARRAYS}) AS states (${SENT_COLUMNS.map(({ name }) => name).join(', ')})
      ORDER BY seq, changed DESC
    ) AS sent, json_to_record(brief) AS members (${BRIEF_MEMBERS})
    ON CONFLICT (day, node, seq) DO UPDATE
    SET ${LATER.map((name) => `${name} = excluded.${name}`).join(', ')}, feed = excluded.feed
    WHERE log_records.changed < excluded.changed
      AND NOT (log_records.outcome = 'crashed' AND excluded.outcome = 'crashed')
  ), gone AS (
    DELETE FROM log_records
    WHERE node = $1 AND day = ANY ($3) AND seq = ANY ($4) AND outcome IN ('pending', 'crashed')
  ), ${SHIP_USAGE}
  SELECT ${IS_FOLLOWED} AS "isFollowed", pg_notify('${FEED_CHANNEL}', '')`;

const NO_USAGE: UsageBatch = { source: '', rows: [], numbers: [], isLast: true };
const NOTHING_ELSE: Others = { removed: [], usage: NO_USAGE };

/** What is written along with records. */
type Others = Pick<Outgoing, 'removed' | 'usage'>;

/** What became of a batch. */
export interface ShipmentReport {
  /** Number of records that can never be stored. */
  readonly rejected: number;
  /** Whether somebody follows the log, at any node. */
  readonly isFollowed: boolean;
}

/** Writes records of one node to the shared log. */
export class RecordShipment {
  private readonly connection: SharedConnection;
  private readonly node: string;
  /** As of the latest write. */
  private isFollowed = false;

  constructor(connection: SharedConnection, node: string) {
    this.connection = connection;
    this.node = node;
  }

  /** Writes a batch. Rejects if none of it could be written. */
  async send(batch: Outgoing): Promise<ShipmentReport> {
    const rejected = await this.writeAll(batch);
    return { rejected, isFollowed: this.isFollowed };
  }

  /** @returns number of records that can never be stored */
  private async writeAll(batch: Outgoing): Promise<number> {
    const { records } = batch;
    await ensureDays(this.connection, new Set(records?.days));
    if (records === undefined) {
      await this.write(encodeRecords([]), batch);
      return 0;
    }
    if (await this.isTaken(records.arrays, batch)) {
      return 0;
    }
    const cleaned = decodeRecords(records.arrays).map(storable);
    if (await this.isTaken(encodeRecords(cleaned), batch)) {
      return 0;
    }
    await this.write(encodeRecords([]), batch);
    let rejected = 0;
    for (const record of cleaned) {
      rejected += (await this.isTaken(encodeRecords([record]))) ? 0 : 1;
    }
    return rejected;
  }

  /** @returns false if the database does not take the value of a record; rejects if it cannot be written otherwise */
  private async isTaken(arrays: readonly Uint8Array[], others?: Others): Promise<boolean> {
    try {
      await this.write(arrays, others);
      return true;
    } catch (error) {
      if (isPgValueFault(error)) {
        return false;
      }
      forgetDays(this.connection);
      throw error;
    }
  }

  private async write(
    arrays: readonly Uint8Array[],
    { removed, usage }: Others = NOTHING_ELSE,
  ): Promise<void> {
    const { source, rows } = usage;
    const [row] = await this.connection.query<{ isFollowed: boolean }>(SHIP, [
      this.node,
      storableJson(JSON.stringify(rows.map((row) => ({ source, ...row })))),
      [...new Set(removed.map(logDayOf))],
      removed,
      ...arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ]);
    this.isFollowed = row?.isFollowed ?? false;
  }
}

/** Wakes those who follow the feed, once the transaction has ended. */
export async function announce(query: PgQuery): Promise<void> {
  await query(`NOTIFY ${FEED_CHANNEL}`);
}

/** PostgreSQL's texts cannot hold NUL. */
function storable(record: SentRecord): SentRecord {
  return {
    ...record,
    brief: storableJson(record.brief),
    texts: storableText(record.texts),
    requestBody: storableText(record.requestBody),
    responseBody: storableText(record.responseBody),
  };
}

function storableText(text: string | null): string | null {
  return text?.replaceAll('\0', '\ufffd') ?? null;
}

/** Nor half of a pair of surrogates, which JSON writes as an escape, like NUL. */
function storableJson(json: string): string {
  return json.replace(/\\(?:u0000|ud[89a-f]..|[^])/g, (escape) => (escape.length > 2 ? '\ufffd' : escape));
}

/** Code of PostgreSQL for a row of a day that has no table: another node has deleted it. */
const NO_TABLE = '23514';

/** Whether an error is about the values of a record: data exceptions, broken constraints, exceeded limits. */
function isPgValueFault(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code !== NO_TABLE && /^(22|23|54)/.test(code);
}
