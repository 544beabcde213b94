import { type PgDatabase, type PgQuery } from '../../common/store/pg-database.js';
import { type LimitName } from './limit-parts.js';

/** Key of the advisory lock under which parts change hands; any number that is the gateway's own. */
const PARTS_LOCK = 26407;

/** Nodes that are gone, and whose parts count no longer. */
const FORGET = `DELETE FROM key_nodes WHERE until < clock_timestamp() - interval '2 days'`;

/** The asking node: its id is new at each start, its number grows with each statement. */
export interface PartsNode {
  readonly node: string;
  readonly beat: number;
  /** Lease of the parts without a renewal, in milliseconds. */
  readonly leaseMs: number;
}

/** Order of a node for its part of one limit; see `PartPlan`. */
export interface PartOrder {
  readonly key: string;
  readonly name: LimitName;
  /** Of the key, as this node knows it. */
  readonly limit: number;
  readonly keep: number;
  readonly target: number;
  readonly want: number;
}

/** A node's part of one limit, and what there is to know of the others'. */
export interface StoredPart {
  readonly key: string;
  readonly name: LimitName;
  readonly amount: number;
  /** Need as told to the other nodes. */
  readonly want: number;
  readonly taken: number;
  readonly missing: number;
}

/** Result of a renewal. */
export interface Renewal {
  /** Whether the node's time was not over yet. */
  readonly isRenewed: boolean;
  /** Living nodes, the one that asks included. */
  readonly nodes: number;
  /** Grows with every change of parts. */
  readonly version: number;
}

const STATE = `
  (SELECT count(*) FROM key_nodes WHERE until > clock_timestamp() AND id <> $1) + 1 AS nodes,
  (SELECT version FROM shared_versions WHERE topic = 'key_parts') AS version`;

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

/** A grant that the node never heard of is given up again: it says what it keeps. */
const KEEP = `
  INSERT INTO key_parts (key, limit_name, node, amount, want)
  SELECT key, limit_name, $1, 0, want FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])
    AS given (key, limit_name, keep, want)
  ON CONFLICT (key, limit_name, node) DO UPDATE SET want = excluded.want, amount = least(key_parts.amount, (
    SELECT keep FROM unnest($2::text[], $3::text[], $4::bigint[]) AS given (key, limit_name, keep)
    WHERE given.key = excluded.key AND given.limit_name = excluded.limit_name))`;

const CLAIM = `
  UPDATE key_parts SET amount = amount + greatest(0, least(target - amount, most - taken))
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS given (key, limit_name, target, most),
    LATERAL (
      SELECT coalesce(sum(part.amount), 0) AS taken FROM key_parts AS part JOIN key_nodes ON id = part.node
      WHERE part.key = given.key AND part.limit_name = given.limit_name
        AND key_part_counts(part.limit_name, until, clock_timestamp())
    ) AS others
  WHERE node = $1 AND key_parts.key = given.key AND key_parts.limit_name = given.limit_name`;

const READ = `
  SELECT mine.key, mine.limit_name AS name, mine.amount, mine.want,
    coalesce(sum(part.amount) FILTER (WHERE key_part_counts(part.limit_name, until, clock_timestamp())), 0)::bigint
      AS taken,
    coalesce(sum(greatest(0, part.want - part.amount))
      FILTER (WHERE part.node <> $1 AND until > clock_timestamp()), 0)::bigint AS missing
  FROM key_parts AS mine JOIN key_parts AS part USING (key, limit_name) JOIN key_nodes ON id = part.node
  WHERE mine.node = $1 GROUP BY 1, 2, 3, 4`;

/** Says that the node lives. @param limitMs time limit for the answer */
export async function renewParts(
  database: PgDatabase,
  { node, beat, leaseMs }: PartsNode,
  limitMs: number,
): Promise<Renewal> {
  const [row] = await database.queryReserved<Renewal>(RENEW, [node, beat, leaseMs], limitMs);
  return row!;
}

/**
 * Gives parts up, takes parts of what is free, and tells what there is. One node at a time, so that what is free is free.
 * @returns undefined if a later statement of the node has been carried out before
 */
export function exchangeParts(
  database: PgDatabase,
  asking: PartsNode,
  orders: readonly PartOrder[],
): Promise<(Renewal & { readonly parts: readonly StoredPart[] }) | undefined> {
  return database.transaction(async (query) => {
    await query(`SELECT pg_advisory_xact_lock(${PARTS_LOCK})`);
    if (!(await enter(query, asking))) {
      return undefined;
    }
    const { node } = asking;
    if (orders.length > 0) {
      const names = [orders.map(({ key }) => key), orders.map(({ name }) => name)];
      const numbers = (member: 'keep' | 'target' | 'want' | 'limit'): number[] =>
        orders.map((order) => order[member]);
      await query(KEEP, [node, ...names, numbers('keep'), numbers('want')]);
      await query(CLAIM, [node, ...names, numbers('target'), numbers('limit')]);
      await query(`SELECT shared_changed('key_parts')`);
    }
    const parts = await query<StoredPart>(READ, [node]);
    const [state] = await query<Omit<Renewal, 'isRenewed'>>(`SELECT ${STATE}`, [node]);
    return { isRenewed: true, ...state!, parts };
  });
}

/** Gives up all but what is in use, and ends the node's time. */
export async function leaveParts(
  database: PgDatabase,
  asking: PartsNode,
  orders: readonly PartOrder[],
): Promise<void> {
  await exchangeParts(database, { ...asking, leaseMs: 0 }, orders);
}

async function enter(query: PgQuery, { node, beat, leaseMs }: PartsNode): Promise<boolean> {
  await query(FORFEIT, [node]);
  await query(FORGET);
  const entered = await query(ENTER, [node, beat, leaseMs]);
  return entered.length > 0;
}
