import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { ADVISORY_LOCKS } from '../../common/store/advisory-locks.js';
import { type PgQuery } from '../../common/store/pg-client.js';
import { type SharedConnection } from './shared-connection.js';
import { dropOldUsage } from './shared-usage.js';

/** A change of the tables waits for those who read, and those who read behind it wait for the change. */
const LOCK_LIMIT = "SET LOCAL lock_timeout = '3s'";
/** Share of the limit down to which records are deleted. */
const LOW_WATER = 0.85;
/** Deletions in one call; the rest is for the next one. */
const STEPS = 20;
/** Bounds of one deletion. */
const STEP_BYTES = 2 ** 24;
const STEP_RECORDS = 20_000;
/** Bytes examined of larger tables, without the texts that are kept apart. */
const SAMPLE_BYTES = 2 ** 25;

/** SQL: bytes of a record on the disk, with its compressed texts, and 700 for its row and its places in indexes. */
const SIZE = `(700 + ${['brief', 'texts', 'request_body', 'response_body']
  .map((name) => `coalesce(pg_column_size(${name}), 0)`)
  .join(' + ')})`;

/** Nodes that are gone for good, and have left nothing to close. */
const FORGOTTEN_NODES = `
  DELETE FROM log_nodes WHERE seen_at < clock_timestamp() - interval '1 day'
    AND NOT EXISTS (SELECT FROM log_records WHERE log_records.node = log_nodes.node AND outcome = 'pending')`;

/** SQL: where the tables of days stand in the catalog. */
const DAY_TABLES = `FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'log_records'::regclass`;

/** The first of the latest $1 days. */
const FIRST_DAY = `SELECT floor(extract(epoch FROM clock_timestamp()) / 86400)::integer - $1::integer AS day`;

/** Limits of the shared log. */
export interface SharedLimits {
  /** Bytes of the records on the server's disk; space that deleted ones have left is the database's to use again. */
  readonly maxBytes: number;
  /** Days before that are deleted, by the clock of the server: one node with a wrong clock must not empty the log of all. */
  readonly keepDays: number;
}

interface DayTable {
  readonly name: string;
  readonly day: number;
  /** On the disk, with the space that is free in it. */
  readonly bytes: number;
  /** Without indexes and texts that are kept apart. */
  readonly heapBytes: number;
}

/** Days whose table is known to exist, by connection. */
const known = new WeakMap<SharedConnection, Set<number>>();

/** Makes the tables for these days. */
export async function ensureDays(connection: SharedConnection, days: ReadonlySet<number>): Promise<void> {
  const present = getOrInsert(known, connection, () => new Set<number>());
  for (const day of [...days].filter((one) => !present.has(one))) {
    const [found] = await connection.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [
      tableOf(day),
    ]);
    if (typeof found?.name === 'string') {
      present.add(day);
      continue;
    }
    await connection.transaction(async (query) => {
      await query(LOCK_LIMIT);
      await query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.logDays})`);
      await query(makeDay(day));
    });
    present.add(day);
  }
}

/** Forgets which days exist, since another node may have deleted them. */
export function forgetDays(connection: SharedConnection): void {
  known.delete(connection);
}

/**
 * Keeps the shared log within its limits: the oldest days go whole, and of one that is not to go whole the oldest records.
 * Does nothing while another node is at it.
 */
export async function keepLimits(connection: SharedConnection, limits: SharedLimits): Promise<void> {
  const { maxBytes, keepDays } = limits;
  await inMaintenance(connection, async (query) => {
    await query(FORGOTTEN_NODES);
    await dropOldUsage(query);
    const [first] = await query<{ day: number }>(FIRST_DAY, [keepDays]);
    for (const { name } of (await dayTables(query)).filter(({ day }) => day < first!.day)) {
      await query(`DROP TABLE ${name}`);
    }
  });
  // Short transactions: before they end, no follower hears of later changes.
  let isAbove: boolean | undefined = true;
  for (let step = 0; step < STEPS && isAbove; step++) {
    const goal = step === 0 ? maxBytes : maxBytes * LOW_WATER;
    isAbove = await inMaintenance(connection, (query) => dropOldest(query, maxBytes, goal));
  }
  forgetDays(connection);
}

/** Does a part of the maintenance in a transaction. @returns undefined if another node is doing it */
export function inMaintenance<T>(
  connection: SharedConnection,
  work: (query: PgQuery) => Promise<T>,
): Promise<T | undefined> {
  return connection.transaction(async (query) => {
    await query(LOCK_LIMIT);
    const [lock] = await query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.logDays}) AS "isOurs"`,
    );
    return lock?.isOurs ? work(query) : undefined;
  });
}

/** Deletes the oldest records if they exceed the goal. @returns whether they did */
async function dropOldest(query: PgQuery, maxBytes: number, goal: number): Promise<boolean> {
  const days = await dayTables(query);
  if (days.reduce((sum, { bytes }) => sum + bytes, 0) <= maxBytes) {
    return false;
  }
  const sizes = await recordBytes(query, days);
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const [oldest] = days;
  if (oldest === undefined || total <= goal) {
    return false;
  }
  const excess = total - maxBytes * LOW_WATER;
  if ((sizes.get(oldest.day) ?? 0) <= excess) {
    await query(`DROP TABLE ${oldest.name}`);
  } else {
    await query(dropRecords(oldest.name), [Math.min(excess, STEP_BYTES)]);
  }
  return true;
}

/** The table of a day. */
function tableOf(day: number): string {
  return `log_records_${day}`;
}

/**
 * SQL: a table of its own first, since to attach one waits for nobody who reads or dumps the others. Whether there is
 * one is read from the catalog itself: what `to_regclass` said before the wait for the lock, the server says again.
 */
function makeDay(day: number): string {
  const table = tableOf(day);
  return `DO $$ BEGIN
    IF NOT EXISTS (SELECT ${DAY_TABLES} AND relname = '${table}') THEN
      CREATE TABLE ${table} (LIKE log_records INCLUDING ALL);
      ALTER TABLE log_records ATTACH PARTITION ${table} FOR VALUES FROM (${day}) TO (${day + 1});
    END IF;
  END $$`;
}

/** Oldest first. */
function dayTables(query: PgQuery): Promise<readonly DayTable[]> {
  return query<DayTable>(
    `SELECT relname AS name, substring(relname FROM '\\d+$')::integer AS day, pg_total_relation_size(oid) AS bytes,
       pg_relation_size(oid) AS "heapBytes"
     ${DAY_TABLES} ORDER BY day`,
  );
}

/** Bytes of the records of each day that has some; of large tables estimated, always from the same part of them. */
async function recordBytes(query: PgQuery, days: readonly DayTable[]): Promise<ReadonlyMap<number, number>> {
  const heapBytes = days.reduce((sum, day) => sum + day.heapBytes, 0);
  const share = Math.min(1, SAMPLE_BYTES / heapBytes);
  const rows = await query<{ day: number; bytes: number }>(
    `SELECT day, sum(${SIZE})::bigint AS bytes FROM log_records TABLESAMPLE SYSTEM ($1) REPEATABLE (0) GROUP BY day`,
    [share * 100],
  );
  return new Map(rows.map(({ day, bytes }) => [day, bytes / share]));
}

/** SQL: deletes the oldest records of a day until their bytes reach $1. */
function dropRecords(table: string): string {
  return `DELETE FROM ${table} WHERE (day, node, seq) IN (
    SELECT day, node, seq FROM (
      SELECT day, node, seq, sum(size) OVER (ORDER BY seq, node) - size AS older FROM (
        SELECT day, node, seq, ${SIZE} AS size FROM ${table} ORDER BY seq, node LIMIT ${STEP_RECORDS}
      ) AS oldest
    ) AS sized WHERE older < $1::float8)`;
}
