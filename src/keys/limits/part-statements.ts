import { ADVISORY_LOCKS } from '../../common/store/advisory-locks.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import { LIMIT_NAMES, type LimitName } from '../access-key.js';

/** Under it nobody else gives or takes, so that what is free is free. */
export const LOCK_PARTS = `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.limitParts})`;

/** An expired node whose parts no longer count: one at a time, since it may have had a part of every limit. */
const FORGET = `
  DELETE FROM key_nodes WHERE id =
    (SELECT id FROM key_nodes WHERE until < clock_timestamp() - interval '2 days' AND id <> $1 LIMIT 1)`;

/** The asking node: its id is new at each start, its number grows with each statement. */
export interface PartsNode {
  readonly node: string;
  readonly beat: number;
  /** Lease of the parts without a renewal, in milliseconds. */
  readonly nodeLeaseMs: number;
}

/** Names one limit of one key. */
export interface PartPlace {
  readonly key: string;
  readonly name: LimitName;
}

/** Order of a node for its part of one limit; see `PartPlan`. */
export interface PartOrder extends PartPlace {
  /** Of the key, as this node knows it. */
  readonly limit: number;
  readonly keep: number;
  readonly target: number;
  readonly want: number;
}

/** A node's part of one limit, and what there is to know of the others'. */
export interface StoredPart extends PartPlace {
  readonly amount: number;
  /** Need as announced to the other nodes. */
  readonly want: number;
  readonly taken: number;
  readonly missing: number;
}

/** Answer to a heartbeat. */
export interface PartsState {
  /** Living nodes, the one that asks included. */
  readonly nodes: number;
  /** Number of the latest change of parts. */
  readonly version: number;
  /** Latest expiry of a node's lease, or of its parts after that: an expiry has no change of its own. */
  readonly ended: string | null;
}

/** Result of a renewal. */
export interface Renewal extends PartsState {
  /** Whether the node's lease had not expired yet. */
  readonly isRenewed: boolean;
}

const STATE = `
  (SELECT count(*) FROM key_nodes WHERE until > clock_timestamp() AND id <> $1) + 1 AS nodes,
  (SELECT version FROM shared_versions WHERE topic = 'key_parts') AS version,
  (SELECT max(at)::text FROM key_nodes, LATERAL (
    SELECT until UNION ALL SELECT key_part_end(name, until) FROM unnest('{${LIMIT_NAMES.join()}}'::text[]) AS name
  ) AS ends (at) WHERE at <= clock_timestamp()) AS ended`;

const RENEW = `
  WITH renewed AS (
    UPDATE key_nodes SET beat = $2, until = clock_timestamp() + $3::float8 * interval '1 ms'
    WHERE id = $1 AND beat < $2 AND until > clock_timestamp() RETURNING id
  )
  SELECT EXISTS (SELECT FROM renewed) AS "isRenewed", ${STATE}`;

/** Parts that others may have taken, because this node was away for too long. */
const FORFEIT = `
  DELETE FROM key_parts USING key_nodes WHERE node = $1 AND id = node
    AND NOT key_part_counts(limit_name, until, clock_timestamp())`;

const ENTER = `
  INSERT INTO key_nodes (id, beat, until) VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms')
  ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, until = excluded.until WHERE key_nodes.beat < excluded.beat
  RETURNING id`;

const ADD = `
  INSERT INTO key_parts (key, limit_name, node) SELECT key, limit_name, $1
  FROM unnest($2::text[], $3::text[]) AS given (key, limit_name) ON CONFLICT DO NOTHING`;

/** A grant that the node never heard of is given up again: it says what it keeps. */
const GRANT = `
  UPDATE key_parts SET want = given.want,
    amount = greatest(least(amount, given.keep), least(given.target, given.most - others.taken))
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
      AS given (key, limit_name, keep, target, want, most),
    LATERAL (
      SELECT coalesce(sum(part.amount), 0) AS taken FROM key_parts AS part JOIN key_nodes ON id = part.node
      WHERE part.key = given.key AND part.limit_name = given.limit_name AND part.node <> $1
        AND key_part_counts(part.limit_name, until, clock_timestamp())
    ) AS others
  WHERE node = $1 AND key_parts.key = given.key AND key_parts.limit_name = given.limit_name`;

export const PARTS_CHANGED = `SELECT shared_changed('key_parts')`;

const GIVEN = 'unnest($2::text[], $3::text[]) AS given (key, limit_name)';
const READ = `
  SELECT mine.key, mine.limit_name AS name, mine.amount, mine.want,
    coalesce(sum(part.amount) FILTER (WHERE key_part_counts(part.limit_name, until, clock_timestamp())), 0)::bigint
      AS taken,
    coalesce(sum(greatest(0, part.want - part.amount))
      FILTER (WHERE part.node <> $1 AND until > clock_timestamp()), 0)::bigint AS missing
  FROM ${GIVEN} JOIN key_parts AS mine USING (key, limit_name) JOIN key_parts AS part USING (key, limit_name)
    JOIN key_nodes ON id = part.node
  WHERE mine.node = $1 GROUP BY 1, 2, 3, 4`;

const FIND_CHANGED = `
  SELECT DISTINCT key, limit_name AS name FROM key_parts WHERE version > $1 AND version <= $2`;

const LEAVE = `
  DELETE FROM key_parts WHERE node = $1
    AND NOT EXISTS (SELECT FROM ${GIVEN} WHERE given.key = key_parts.key AND given.limit_name = key_parts.limit_name)`;

/** Sends a heartbeat. @param limitMs time limit for the answer */
export async function renewParts(
  database: PgDatabase,
  { node, beat, nodeLeaseMs }: PartsNode,
  limitMs: number,
): Promise<Renewal> {
  const [row] = await database.queryReserved<Renewal>(RENEW, [node, beat, nodeLeaseMs], limitMs);
  return row!;
}

/**
 * Begins the node's lease, or begins it anew: the node has what nobody could take meanwhile, and must read what that is.
 * @returns undefined if a later statement of the node has been carried out before
 */
export function enterParts(
  database: PgDatabase,
  { node, beat, nodeLeaseMs }: PartsNode,
): Promise<PartsState | undefined> {
  return database.transaction(async (query) => {
    await query(LOCK_PARTS);
    await query(FORFEIT, [node]);
    await query(FORGET, [node]);
    const entered = await query(ENTER, [node, beat, nodeLeaseMs]);
    return entered.length > 0 ? (await query<PartsState>(`SELECT ${STATE}`, [node]))[0] : undefined;
  });
}

/**
 * Gives parts up, takes parts of what is free, and reads them. The orders are to be few: others wait for the lock.
 * @returns undefined if the node's lease has expired, or a later statement of it was carried out before
 */
export function exchangeParts(
  database: PgDatabase,
  { node, beat, nodeLeaseMs }: PartsNode,
  orders: readonly PartOrder[],
): Promise<(PartsState & { readonly parts: StoredPart[] }) | undefined> {
  return database.transaction(async (query) => {
    await query(LOCK_PARTS);
    const [renewal] = await query<Renewal>(RENEW, [node, beat, nodeLeaseMs]);
    if (!renewal?.isRenewed) {
      return undefined;
    }
    const places = [node, ...columnsOf(orders)];
    await query(ADD, places);
    await query(GRANT, [...places, ...numbersOf(orders)]);
    await query(PARTS_CHANGED);
    const parts = await query<StoredPart>(READ, places);
    return { ...renewal, version: renewal.version + 1, parts };
  });
}

/** Reads the node's parts of these limits. */
export function readStoredParts(
  database: PgDatabase,
  node: string,
  places: readonly PartPlace[],
): Promise<StoredPart[]> {
  return database.query<StoredPart>(READ, [node, ...columnsOf(places)]);
}

/** The limits of which any node's part has changed. @param after, upTo `PartsState.version` */
export function findChanged(database: PgDatabase, after: number, upTo: number): Promise<PartPlace[]> {
  return database.query<PartPlace>(FIND_CHANGED, [after, upTo]);
}

/** Ends the node's lease, and gives up all but what is in use. @param inUse orders that keep it */
export function leaveParts(
  database: PgDatabase,
  { node, beat }: PartsNode,
  inUse: readonly PartOrder[],
): Promise<void> {
  return database.transaction(async (query) => {
    await query(LOCK_PARTS);
    const [renewal] = await query<Renewal>(RENEW, [node, beat, 0]);
    if (renewal?.isRenewed) {
      const places = [node, ...columnsOf(inUse)];
      await query(LEAVE, places);
      await query(GRANT, [...places, ...numbersOf(inUse)]);
      await query(PARTS_CHANGED);
    }
  });
}

function columnsOf(places: readonly PartPlace[]): [string[], LimitName[]] {
  return [places.map(({ key }) => key), places.map(({ name }) => name)];
}

function numbersOf(orders: readonly PartOrder[]): number[][] {
  return (['keep', 'target', 'want', 'limit'] as const).map((member) => orders.map((order) => order[member]));
}
