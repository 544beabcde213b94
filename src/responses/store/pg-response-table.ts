import type pg from 'pg';
import { pgPool, withoutNuls } from '../../common/store/pg-client.js';
import { isUnderWay, type ResponseObject } from '../interfaces/response-object.js';
import {
  bytesOf,
  type ChainKey,
  type ConversationStep,
  type ResponseKey,
  type ResponseLimits,
  type ResponseRecord,
  type StoredText,
  type TextColumn,
  type TextKey,
} from './response-record.js';

/** Wait for a connection, one of the pool's, and then for an answer: what a request that reads may have to wait. */
const TIME_LIMIT_MS = 3000;
/** Connections of their own for what callers cause: long texts must not stand in the way of the beat. */
const CONNECTIONS = 2;
/** Bounds of what one statement deletes: rows, and the size of their texts in UTF-16 units. */
const SLICE = 5000;
const SLICE_SIZE = 2 ** 26;

const UNDER_WAY = `status IN ('queued', 'in_progress')`;
/**
 * Whether a run goes on. After an outage of the server all of them look given up; then its node tells of it with its next
 * beat, and renews the run a little later.
 */
const GOES_ON = `(run.until > clock_timestamp() OR run.until > clock_timestamp() - interval '5 minutes' AND EXISTS (
  SELECT FROM nodes WHERE nodes.id = run.node AND seen_at > clock_timestamp() - interval '5 seconds'))`;
const HELD = `SELECT FROM response_runs AS run WHERE run.id = responses.id AND ${GOES_ON}`;

const COLUMNS = 'id, owner, created_at, previous, status, bytes, body, input, events';
const VALUES = '$1, $2, $3::bigint, $4, $5, $6::bigint, $7, $8, $9';

/** Nothing for one that was carried out before: it may be deleted since, and stays so. */
const INSERT = `
  WITH write AS (
    INSERT INTO response_writes AS latest (node, number) VALUES ($10, $11)
    ON CONFLICT (node) DO UPDATE SET number = excluded.number WHERE latest.number < excluded.number RETURNING number
  )
  INSERT INTO responses (${COLUMNS}) SELECT ${VALUES} FROM write ON CONFLICT (id) DO NOTHING`;
const BEGIN = `
  WITH kept AS (INSERT INTO responses (${COLUMNS}) VALUES (${VALUES}) RETURNING id)
  INSERT INTO response_runs (id, node, until)
  SELECT id, $10, clock_timestamp() + $11::float8 * interval '1 ms' FROM kept`;
// Whoever was told that it had failed is not told anything else later; one that was deleted stays so.
const END = `
  WITH ended AS (DELETE FROM response_runs WHERE id = $1)
  UPDATE responses SET status = $2, bytes = $3, body = $4, events = $5 WHERE id = $1 AND ${UNDER_WAY}`;
/** The length of a text is known without reading it. */
const readText = (column: TextColumn): string => `
  SELECT status, events IS NOT NULL AS "hasEvents", EXISTS (${HELD}) AS "isHeld",
    coalesce(octet_length(${column}), 0) AS length,
    CASE WHEN octet_length(${column}) <= $3::bigint THEN ${column} END AS text
  FROM responses WHERE id = $1 AND owner = $2`;
const READ: Readonly<Record<TextColumn, string>> = {
  body: readText('body'),
  input: readText('input'),
  events: readText('events'),
};
const IS_HELD = `SELECT FROM responses WHERE id = $1 AND owner = $2 AND ${UNDER_WAY} AND EXISTS (${HELD})`;
const CLOSE = `
  UPDATE responses SET status = 'failed', body = $2 WHERE id = $1 AND ${UNDER_WAY} AND NOT EXISTS (${HELD})`;
const REMOVE = `
  DELETE FROM responses WHERE id = $1 AND owner = $2 RETURNING ${UNDER_WAY} AS "isUnderWay"`;
/** The responses of a conversation, the latest first, with the length of the texts so far. */
const CHAIN = `
  WITH RECURSIVE chain (id, previous, depth, size) AS (
    SELECT id, previous, 0, length(body)::bigint + length(input) FROM responses WHERE id = $1 AND owner = $2
    UNION ALL
    SELECT before.id, before.previous, depth + 1, size + length(before.body) + length(before.input)
      FROM chain JOIN responses AS before ON before.id = chain.previous
      WHERE before.owner = $2 AND size <= $3::bigint
  )`;
const READ_CHAIN = `
  ${CHAIN}
  SELECT id, responses.previous, body, input,
    CASE WHEN ${UNDER_WAY} AND NOT EXISTS (${HELD}) THEN 'failed' ELSE status END AS status
  FROM chain JOIN responses USING (id) ORDER BY depth DESC`;
const MEASURE_CHAIN = `${CHAIN} SELECT coalesce(max(size), 0)::float8 AS length FROM chain`;
const GIVE_UP = `
  UPDATE response_runs SET is_given_up = true FROM responses
  WHERE responses.id = response_runs.id AND responses.id = $1 AND responses.owner = $2`;
const RENEW = `
  UPDATE response_runs SET until = clock_timestamp() + $2::float8 * interval '1 ms' WHERE node = $1 AND id = ANY ($3)
  RETURNING id, is_given_up AS "isGivenUp"`;
const LEAVE = "UPDATE response_runs SET until = '-infinity' WHERE node = $1";
const NOT_MADE = `id NOT IN (SELECT run.id FROM response_runs AS run WHERE ${GOES_ON})`;
/** Of some responses the oldest slice, with the size of the texts before each. */
const sliceOf = (condition: string): string => `
  SELECT id, sum(bytes) OVER (ORDER BY created_at, seq) - bytes AS before FROM (
    SELECT id, created_at, seq, bytes FROM responses WHERE ${condition} AND ${NOT_MADE}
    ORDER BY created_at, seq LIMIT ${SLICE}
  ) AS slice`;
/**
 * Deletes a slice of what is too old, or if there is none, of what is too much the oldest of whoever has the most, at most
 * until somebody else has: nobody loses responses to somebody who stores more. Where many have about as much, an eighth of
 * the excess goes at a time. What is under way cannot go, so the rest has the room that it leaves. What is too old is so by
 * the clock of the server: one node with a wrong clock must not delete the responses of all. One that another node deletes
 * is passed over.
 */
const DROP_OLD = `
  WITH limits AS MATERIALIZED (
    SELECT ((extract(epoch FROM clock_timestamp()) - $1::integer * 86400.0) * 1000)::bigint AS keep_from,
      (SELECT sum(bytes) FROM responses) - $2::float8 AS excess
  ), oldest AS MATERIALIZED (
    ${sliceOf('created_at < (SELECT keep_from FROM limits)')}
  ), largest AS MATERIALIZED (
    SELECT owner, size - lead(size, 1, 0) OVER (ORDER BY size DESC, owner) AS ahead FROM (
      SELECT owner, sum(bytes)::float8 AS size FROM responses
      WHERE (SELECT excess FROM limits) > 0 AND NOT EXISTS (SELECT FROM oldest) AND ${NOT_MADE} GROUP BY owner
    ) AS owners ORDER BY size DESC, owner LIMIT 1
  ), surplus AS MATERIALIZED (
    ${sliceOf('owner = (SELECT owner FROM largest)')}
  )
  DELETE FROM responses WHERE id IN (
    SELECT id FROM responses WHERE id IN (
      SELECT id FROM oldest WHERE before < ${SLICE_SIZE}
      UNION ALL
      SELECT id FROM surplus CROSS JOIN limits CROSS JOIN largest
      WHERE before < least(excess, greatest(ahead, excess / 8), ${SLICE_SIZE})
    ) FOR UPDATE SKIP LOCKED
  ) RETURNING id`;
const CHANGED = `SELECT shared_changed('responses')`;

/** The error of a response whose gateway is gone. */
const CUT_OFF = {
  code: 'server_error',
  message: 'The gateway that made the response ended before it was complete.',
};

/** A response that a node makes in the background. */
export interface ResponseRun {
  readonly id: string;
  readonly isGivenUp: boolean;
}

/** The node that makes responses, and for how long its word counts. */
export interface RunHolder {
  readonly node: string;
  readonly nodeLeaseMs: number;
}

/** The statements about stored responses in the shared database. Throws what PostgreSQL throws, within 6 s. */
export class PgResponseTable {
  private readonly pool: pg.Pool;
  /** One connection for what keeps the responses alive that are made here, and for their ends: no reader takes it. */
  private readonly upkeep: pg.Pool;
  /** What `end` was called with last, and how many there were. */
  private latest: ResponseRecord | undefined;
  private number = 0;

  /** @param options of the database; its connections are made when they are needed */
  constructor(
    options: pg.ClientConfig,
    private readonly holder: RunHolder,
  ) {
    const limits = {
      connectionTimeoutMillis: TIME_LIMIT_MS,
      query_timeout: TIME_LIMIT_MS,
      statement_timeout: TIME_LIMIT_MS,
    };
    this.pool = pgPool({ ...options, ...limits }, CONNECTIONS);
    this.upkeep = pgPool({ ...options, ...limits }, 1);
  }

  /** Stores a response that this node begins to make. */
  async begin(record: ResponseRecord): Promise<void> {
    const { node, nodeLeaseMs } = this.holder;
    await this.query(BEGIN, [...valuesOf(record), node, nodeLeaseMs]);
  }

  /**
   * Stores a response that is over. Again, since nobody knows whether a failed call was carried out or will be, it changes
   * nothing, as long as no other one came in between.
   */
  async end(record: ResponseRecord): Promise<void> {
    if (record !== this.latest) {
      this.latest = record;
      this.number += 1;
    }
    const { id, status, body, events } = record;
    await (events === null
      ? this.query(INSERT, [...valuesOf(record), this.holder.node, this.number], this.upkeep)
      : this.query(END, [id, status, bytesOf(record), body, events], this.upkeep));
  }

  /** One that is under way, and that nobody makes any more, has failed. */
  async read(key: TextKey): Promise<StoredText | undefined> {
    const found = await this.readNow(key);
    if (!found || found.isHeld || !isUnderWay(found.status)) {
      return found;
    }
    await this.fail(key);
    return this.readNow(key);
  }

  /** Whether the response is under way, and a node makes it. */
  async isHeld({ id, owner }: ResponseKey): Promise<boolean> {
    return (await this.query(IS_HELD, [id, owner])).length > 0;
  }

  /** @returns whether there was one */
  async remove({ id, owner }: ResponseKey): Promise<boolean> {
    const [row] = await this.query<{ isUnderWay: boolean }>(REMOVE, [id, owner]);
    if (row?.isUnderWay) {
      await this.query(CHANGED);
    }
    return row !== undefined;
  }

  /** See `ResponseStore.chain`. */
  chain({ id, owner, maxLength }: ChainKey): Promise<readonly ConversationStep[]> {
    return this.query<ConversationStep>(READ_CHAIN, [id, owner, maxLength]);
  }

  /** See `ResponseStore.chainLength`. */
  async chainLength({ id, owner, maxLength }: ChainKey): Promise<number> {
    const [row] = await this.query<{ length: number }>(MEASURE_CHAIN, [id, owner, maxLength]);
    return row!.length;
  }

  /** Has the node that makes a response give it up. */
  async giveUp({ id, owner }: ResponseKey): Promise<void> {
    await this.query(GIVE_UP, [id, owner]);
    await this.query(CHANGED);
  }

  /** Says that this node still makes these responses. @returns those of them that are there */
  renew(ids: readonly string[]): Promise<readonly ResponseRun[]> {
    const { node, nodeLeaseMs } = this.holder;
    return this.query<ResponseRun>(RENEW, [node, nodeLeaseMs, ids], this.upkeep);
  }

  /** Says that this node makes none any more. */
  async leave(): Promise<void> {
    await this.query(LEAVE, [this.holder.node], this.upkeep);
  }

  /** Deletes a part of what exceeds the limits, but nothing that is being made. @returns number of rows; 0 if none is left */
  async dropOld({ keepDays, maxBytes }: ResponseLimits): Promise<number> {
    return (await this.query(DROP_OLD, [keepDays, maxBytes])).length;
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.upkeep.end()]);
  }

  private async readNow({ id, owner, column, maxLength }: TextKey): Promise<StoredText | undefined> {
    const [row] = await this.query<StoredText>(READ[column], [id, owner, maxLength]);
    return row;
  }

  /** Fails a response that nobody makes any more. */
  private async fail(key: ResponseKey): Promise<void> {
    const found = await this.readNow({ ...key, column: 'body', maxLength: Number.MAX_SAFE_INTEGER });
    if (found?.text) {
      const body = { ...(JSON.parse(found.text) as ResponseObject), status: 'failed', error: CUT_OFF };
      await this.query(CLOSE, [key.id, JSON.stringify(body)]);
    }
  }

  private async query<Row extends object>(
    sql: string,
    values: readonly unknown[] = [],
    pool = this.pool,
  ): Promise<Row[]> {
    return (await pool.query<Row>(sql, withoutNuls(values))).rows;
  }
}

function valuesOf(record: ResponseRecord): unknown[] {
  const { id, owner, createdAt, previous, status, body, input, events } = record;
  return [id, owner, createdAt, previous, status, bytesOf(record), body, input, events];
}
