import { SETTLE_RESTORED } from './feed.js';
import { type Query, type SharedConnection } from './shared-connection.js';
import { dropOldUsage } from './shared-usage.js';

/** Keys of advisory locks; any numbers that are the gateway's own. */
const DAYS_LOCK = 26406;
/** A change of the tables waits for those who read, and those who read behind it wait for the change. */
const LOCK_LIMIT = "SET LOCAL lock_timeout = '3s'";
/** Share of the limit down to which a single day is cut. */
const LOW_WATER = 0.85;

/** Nodes that are gone for good, and have left nothing to close. */
const FORGOTTEN_NODES = `
  DELETE FROM log_nodes WHERE seen_at < clock_timestamp() - interval '1 day'
    AND NOT EXISTS (SELECT FROM log_records WHERE log_records.node = log_nodes.node AND outcome = 'pending')`;

/** Limits of the shared log. */
export interface SharedLimits {
  /** Bytes on the server's disk. */
  readonly maxBytes: number;
  /** Earlier days are deleted. */
  readonly firstDay: number;
}

interface DayRow {
  readonly name: string;
  readonly bytes: number;
}

/** Days whose table is known to exist, by connection. */
const known = new WeakMap<SharedConnection, Set<number>>();

/** Makes the tables for these days. */
export async function ensureDays(connection: SharedConnection, days: ReadonlySet<number>): Promise<void> {
  const present = known.get(connection) ?? new Set<number>();
  known.set(connection, present);
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
      await query(`SELECT pg_advisory_xact_lock(${DAYS_LOCK})`);
      await query(
        `CREATE TABLE IF NOT EXISTS ${tableOf(day)} PARTITION OF log_records FOR VALUES FROM (${day}) TO (${day + 1})`,
      );
    });
    present.add(day);
  }
}

/** Forgets which days exist, since another node may have deleted them. */
export function forgetDays(connection: SharedConnection): void {
  known.delete(connection);
}

/**
 * Keeps the shared log within its limits: whole days go at once, and of a single day that is too large the oldest
 * records. Settles what a restored database holds. Does nothing while another node is at it.
 */
export async function keepLimits(connection: SharedConnection, limits: SharedLimits): Promise<void> {
  await connection.transaction(async (query) => {
    await query(LOCK_LIMIT);
    const [lock] = await query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${DAYS_LOCK}) AS "isOurs"`,
    );
    if (!lock?.isOurs) {
      return;
    }
    const days = await dayTables(query);
    const kept = days.filter(({ name }) => dayOfTable(name) >= limits.firstDay);
    let bytes = kept.reduce((sum, day) => sum + day.bytes, 0);
    const dropped = new Set(days.filter((day) => !kept.includes(day)));
    for (const day of kept.slice(0, -1)) {
      if (bytes > limits.maxBytes) {
        bytes -= day.bytes;
        dropped.add(day);
      }
    }
    await query(FORGOTTEN_NODES);
    await query(SETTLE_RESTORED);
    await dropOldUsage(query);
    for (const { name } of dropped) {
      await query(`DROP TABLE ${name}`);
    }
    const latest = kept.at(-1);
    if (latest && bytes > limits.maxBytes) {
      await cutDay(query, latest, limits.maxBytes);
    }
  });
  forgetDays(connection);
}

/** The table of a day. */
function tableOf(day: number): string {
  return `log_records_${day}`;
}

function dayOfTable(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

/** Oldest first. */
async function dayTables(query: Query): Promise<readonly DayRow[]> {
  const rows = await query<DayRow>(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'log_records'::regclass`,
  );
  return rows.toSorted((a, b) => dayOfTable(a.name) - dayOfTable(b.name));
}

/** A table keeps its size when rows are deleted, so the sizes of the records themselves are what counts here. */
async function cutDay(query: Query, { name }: DayRow, maxBytes: number): Promise<void> {
  await query(
    `DELETE FROM ${name} WHERE (node, seq) IN (
       SELECT node, seq FROM (
         SELECT node, seq, sum(bytes) OVER (ORDER BY seq DESC, node) AS newer, sum(bytes) OVER () AS total FROM ${name}
       ) AS sized WHERE total > $1 AND newer > $2)`,
    [maxBytes, maxBytes * LOW_WATER],
  );
}
