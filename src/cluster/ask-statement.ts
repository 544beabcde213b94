import { type PgDatabase } from '../common/store/pg-database.js';

/** A request for shares of other nodes. */
export interface Asking {
  readonly node: string;
  readonly provider: string;
  readonly nodeLeaseMs: number;
  /** Shares that it may use. */
  readonly held: number;
  /** Whether none of them can serve the requests that wait: only then is it lent another node's last one. */
  readonly hasNone: boolean;
  /** Fewest shares of any node; see `FairShares`. */
  readonly least: number;
  /** Most shares to ask for, those of `wanted` included. */
  readonly ask: number;
  /** Whether its requests wait, so that others may lend what is at rest. */
  readonly isHungry: boolean;
  /** Accounts that it holds, of which it needs the first share: that one alone may send the probe after a cooldown. */
  readonly probes: readonly string[];
  /** Accounts that would serve none of the requests that wait. */
  readonly unfit: readonly string[];
  /** Accounts that it needs by name, whoever holds them. */
  readonly wanted: readonly string[];
  /** Shares of each account that are in use, as in a beat. */
  readonly inUse: number;
}

/** A lease has room for so many: a share is reserved for the node that asked, which asks again with each beat. */
export const RESERVATIONS_PER_LEASE = 3;

/**
 * Marks shares of other nodes as asked for, and wakes their holders. First those that are wanted by name; then those that
 * exceed what their holder should have, from the node that has most; then, for a node whose requests wait, shares at rest.
 * A node's last share goes only to one that has none that can serve, unless it is wanted by name, or is the first one of an
 * account that awaits a probe.
 *
 * It locks no row that another node is about to change and waits for none, so that no two nodes can wait for each other.
 */
const ASK = `
  WITH clock AS MATERIALIZED (
    SELECT clock_timestamp() AS now, $3::float8 * interval '1 ms' AS lease
  ), held AS (
    SELECT tenures.*, count(*) OVER (PARTITION BY node) AS total,
      row_number() OVER (PARTITION BY node ORDER BY is_spare DESC, account = ANY ($12::text[]), share DESC, account)
        AS place
    FROM tenures JOIN accounts ON accounts.id = tenures.account CROSS JOIN clock
    WHERE provider = $2 AND is_enabled AND is_present AND share < $10::integer AND until > now AND node <> $1
  ), chosen AS (
    SELECT account, share, total - place AS rest, is_spare,
      place <= total - CASE WHEN $4::integer < $5::integer THEN $5::integer ELSE $5::integer + 1 END AS is_surplus
    FROM held CROSS JOIN clock
    WHERE (wanted_until IS NULL OR wanted_until < now OR wanted_by = $1)
      AND (share = 0 OR NOT account = ANY ($8::text[]))
  ), taken AS (
    SELECT tenures.account, tenures.share
    FROM chosen JOIN tenures ON tenures.account = chosen.account AND tenures.share = chosen.share
    WHERE is_surplus OR chosen.account = ANY ($9::text[])
      OR ($7::boolean AND chosen.is_spare AND NOT chosen.account = ANY ($12::text[])
        AND (rest > 0 OR $11::boolean OR chosen.account = ANY ($8::text[])))
    ORDER BY chosen.account = ANY ($9::text[]) DESC, chosen.account = ANY ($8::text[]) DESC, is_surplus DESC, rest DESC,
      random()
    LIMIT $6::integer FOR UPDATE OF tenures SKIP LOCKED
  ), asked AS (
    UPDATE tenures SET wanted_by = $1, wanted_until = now + lease / ${RESERVATIONS_PER_LEASE} FROM taken, clock
    WHERE tenures.account = taken.account AND tenures.share = taken.share
    RETURNING tenures.node
  )
  SELECT pg_notify('gateway_accounts', node) FROM asked WHERE node IS NOT NULL GROUP BY node`;

/** @param limitMs time limit for the engine */
export async function sendAsking(database: PgDatabase, asking: Asking, limitMs: number): Promise<void> {
  const { node, provider, nodeLeaseMs, held, least, ask, isHungry, probes, wanted, inUse, hasNone, unfit } =
    asking;
  await database.queryReserved(
    ASK,
    [node, provider, nodeLeaseMs, held, least, ask, isHungry, probes, wanted, inUse, hasNone, unfit],
    limitMs,
  );
}
