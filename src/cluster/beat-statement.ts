import { type PgDatabase } from '../common/store/pg-database.js';
import { type SharedVersions } from './shared-changes.js';
import { type Grant } from './tenure-book.js';

/** More than the changes that a server may lose as another one takes its place. */
const LEAP = 1_000_000;

/** Heartbeat of a node, for the engine. */
export interface Beat {
  /** Id of the node, new at each start. */
  readonly node: string;
  /** Key of the accounts that it serves. */
  readonly provider: string;
  /** Release of the gateway, for people. */
  readonly version: string;
  readonly nodeLeaseMs: number;
  readonly isDraining: boolean;
  readonly release: readonly Grant[];
  /** Held shares that the node could do without. */
  readonly spare: readonly Pick<Grant, 'account' | 'share'>[];
  /** Most shares to take of those that nobody holds. */
  readonly claim: number;
  /** Shares of each account that are in use, those with the lowest numbers: others count for nothing, and are given up. */
  readonly inUse: number;
  /** Accounts to take beyond that, once nobody holds them. */
  readonly wanted: readonly string[];
  /** Accounts that would serve none of the requests that wait at the node: those of others do not count as spare. */
  readonly unfit: readonly string[];
  /** The node's report on itself, for people. */
  readonly report: object;
}

/** Answer of the engine to a beat. */
export interface BeatAnswer {
  /** All that the node holds now. */
  readonly grants: readonly Grant[];
  /** Nodes that live and do not drain, this one included unless it drains. */
  readonly nodes: number;
  /** Whether no node that lives and does not drain has a name before this one's. */
  readonly isFirst: boolean;
  /** Shares of all accounts that may be used. */
  readonly shares: number;
  /** Shares that could be taken as the beat arrived. */
  readonly free: number;
  /** Most shares of any other node. */
  readonly largest: number;
  /** Shares that other nodes could do without, and that are not `unfit`. */
  readonly spare: number;
  /** Time until the first share of another node ends unless it is renewed; undefined if no other node has one. */
  readonly nextEndMs: number | undefined;
  readonly accountsVersion: number;
  /** Another one where the server took another one's place since, or what it stores was restored. */
  readonly epoch: string;
  /** Versions of what the nodes share beside accounts. */
  readonly versions: SharedVersions;
}

/** The row that comes back. */
interface Row extends Pick<
  BeatAnswer,
  'epoch' | 'isFirst' | 'shares' | 'free' | 'largest' | 'spare' | 'versions'
> {
  readonly grants: Grant[];
  readonly others: number;
  readonly nextEndMs: number | null;
  readonly version: number;
}

/**
 * One statement a second: says that the node lives, gives up, renews and takes tenures, and reads what tells of changes,
 * since each statement of its own would wake the process once more. Its parts see the same rows as of its beginning, and
 * one time, so that no row is renewed and taken at once.
 *
 * - Its parts are joined with the one row of `meta` by its key: without figures of that table the planner took it for hundreds,
 *   and PostgreSQL compiled the statement anew each time, for half a second.
 * - What is renewed is told by the node alone: its id is new at each start, so a row with it that has not ended was
 *   nobody else's since. A grant that the node never heard of is thus found by its next beat.
 * - Terms are microseconds of the engine: a store that lost everything still grants none that is lower than an earlier one.
 * - What was given up for another node, or was a dead node's, goes to whoever asked for it while that is reserved, and first to
 *   whoever had it: after an outage each node takes what its browsers still have open.
 * - Where the server is not the one of the last beat (a promoted standby, a restored copy), nothing is granted until all
 *   that the earlier one may have granted has ended. All versions leap, as those of changes that were lost are given anew:
 *   a node that knows such a change would not notice.
 */
const BEAT = `
  WITH clock AS MATERIALIZED (
    SELECT now, lease, server.timeline, meta.timeline = server.timeline AND meta.opened_at + lease < now AS is_open
    FROM meta CROSS JOIN
      (SELECT clock_timestamp() AS now, $4::float8 * interval '1 ms' AS lease, server_timeline() AS timeline) AS server
    WHERE meta.id = 1
  ), seen AS (
    INSERT INTO nodes (id, provider, version, seen_at, is_draining, report)
    SELECT $1, $2, $3, now, $5, $12::jsonb FROM clock
    ON CONFLICT (id) DO UPDATE
    SET seen_at = excluded.seen_at, is_draining = excluded.is_draining, report = excluded.report
  ), moved AS (
    UPDATE meta SET opened_at = clock.now, timeline = clock.timeline, accounts_version = accounts_version + ${LEAP}
    FROM clock WHERE meta.timeline <> clock.timeline RETURNING meta.id
  ), leapt AS (
    UPDATE shared_versions SET version = version + ${LEAP} WHERE EXISTS (SELECT FROM moved)
  ), living AS MATERIALIZED (
    SELECT id FROM nodes CROSS JOIN clock
    WHERE provider = $2 AND NOT is_draining AND id <> $1 AND seen_at + lease > now
  ), shared AS MATERIALIZED (
    SELECT tenures.*, node <> $1 AND until > now AS is_others,
      (node IS NULL OR until < now) AND is_open
        AND NOT (wanted_until > now AND wanted_by IN (SELECT id FROM living)) IS TRUE AS is_free
    FROM tenures JOIN accounts ON accounts.id = tenures.account CROSS JOIN clock
    WHERE accounts.provider = $2 AND accounts.is_enabled AND accounts.is_present AND tenures.share < $14::integer
  ), given_up AS (
    SELECT * FROM unnest($6::text[], $7::integer[], $8::bigint[]) AS given (account, share, term)
  ), spare AS (
    SELECT * FROM unnest($9::text[], $10::integer[]) AS spare (account, share)
  ), released AS (
    UPDATE tenures SET node = NULL, until = NULL, is_spare = false FROM given_up
    WHERE tenures.account = given_up.account AND tenures.share = given_up.share AND tenures.term = given_up.term
      AND tenures.node = $1
    RETURNING tenures.wanted_by
  ), renewed AS (
    UPDATE tenures SET until = clock.now + clock.lease,
      is_spare = (tenures.account, tenures.share) IN (SELECT account, share FROM spare)
    FROM clock
    WHERE tenures.node = $1 AND tenures.until > clock.now AND NOT EXISTS (
      SELECT 1 FROM given_up WHERE given_up.account = tenures.account AND given_up.share = tenures.share
        AND given_up.term = tenures.term)
    RETURNING tenures.account, tenures.share, tenures.term,
      (wanted_until > clock.now AND wanted_by <> $1) IS TRUE AS "isAskedFor"
  ), claimed AS (
    UPDATE tenures SET node = $1, until = clock.now + clock.lease, is_spare = false, wanted_by = NULL, wanted_until = NULL,
      term = greatest(tenures.term + 1, (extract(epoch FROM clock.now) * 1e6)::bigint)
    FROM clock, (
      SELECT tenures.account, tenures.share FROM tenures
        JOIN shared ON shared.account = tenures.account AND shared.share = tenures.share CROSS JOIN clock
      WHERE shared.is_free AND (tenures.node IS NULL OR tenures.until < clock.now)
      ORDER BY shared.account = ANY ($13::text[]) DESC, shared.wanted_by = $1 DESC NULLS LAST,
        shared.node = $1 DESC NULLS LAST, tenures.share, random()
      LIMIT $11 + (SELECT count(*) FROM shared WHERE is_free AND account = ANY ($13::text[]))
      FOR UPDATE OF tenures SKIP LOCKED
    ) AS found
    WHERE tenures.account = found.account AND tenures.share = found.share
    RETURNING tenures.account, tenures.share, tenures.term, false AS "isAskedFor"
  ), mine AS (
    SELECT held.account, share, term, is_enabled AND is_present AND share < $14::integer AS "isWanted", "isAskedFor"
    FROM (SELECT * FROM renewed UNION ALL SELECT * FROM claimed) AS held JOIN accounts ON id = held.account
  )
  SELECT
    (SELECT coalesce(json_agg(mine), '[]') FROM mine) AS grants,
    (SELECT count(*) FROM living) AS others,
    NOT $5 AND NOT EXISTS (SELECT FROM living WHERE id < $1) AS "isFirst",
    (SELECT count(*) FROM shared) AS shares,
    (SELECT count(*) FROM shared WHERE is_free) AS free,
    (SELECT coalesce(max(held), 0) FROM (SELECT count(*) AS held FROM shared WHERE is_others GROUP BY node) AS each)
      AS largest,
    (SELECT count(*) FROM shared WHERE is_others AND is_spare AND NOT account = ANY ($15::text[])) AS spare,
    (SELECT (extract(epoch FROM min(until) - max(now)) * 1000)::float8 FROM shared CROSS JOIN clock WHERE is_others)
      AS "nextEndMs",
    (SELECT accounts_version FROM meta) AS version,
    (SELECT opened_at::text FROM meta) AS epoch,
    (SELECT json_object_agg(topic, version) FROM shared_versions) AS versions,
    (SELECT count(*) FROM (
      SELECT pg_notify('gateway_accounts', coalesce(wanted_by, '')) FROM released WHERE wanted_by IS NOT NULL OR $5
      GROUP BY wanted_by) AS told) AS told`;

/** @param limitMs time limit for the engine */
export async function sendBeat(database: PgDatabase, beat: Beat, limitMs: number): Promise<BeatAnswer> {
  const {
    node,
    provider,
    version,
    nodeLeaseMs,
    isDraining,
    release,
    spare,
    claim,
    inUse,
    wanted,
    unfit,
    report,
  } = beat;
  const [row] = await database.queryReserved<Row>(
    BEAT,
    [
      node,
      provider,
      version,
      nodeLeaseMs,
      isDraining,
      release.map(({ account }) => account),
      release.map(({ share }) => share),
      release.map(({ term }) => term),
      spare.map(({ account }) => account),
      spare.map(({ share }) => share),
      isDraining ? 0 : claim,
      JSON.stringify(report),
      wanted,
      inUse,
      unfit,
    ],
    limitMs,
  );
  const { grants, isFirst, shares, free, largest, spare: spareOfOthers, others, nextEndMs } = row!;
  const nodes = others + (isDraining ? 0 : 1);
  return {
    grants,
    nodes,
    isFirst,
    shares,
    free,
    largest,
    spare: spareOfOthers,
    nextEndMs: nextEndMs ?? undefined,
    accountsVersion: row!.version,
    epoch: row!.epoch,
    versions: row!.versions,
  };
}

/** Gives up everything at once, when nothing runs any more. */
export async function sendFarewell(database: PgDatabase, node: string, limitMs: number): Promise<void> {
  await database.queryReserved(
    `WITH gone AS (DELETE FROM nodes WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 day')
     , counted AS (DELETE FROM account_batches WHERE node = $1 OR node NOT IN (SELECT id FROM nodes))
     , stored AS (DELETE FROM response_writes WHERE node = $1 OR node NOT IN (SELECT id FROM nodes))
     , free AS (UPDATE tenures SET node = NULL, until = NULL, is_spare = false WHERE node = $1 RETURNING account)
     SELECT pg_notify('gateway_accounts', '') FROM free LIMIT 1`,
    [node],
    limitMs,
  );
}
