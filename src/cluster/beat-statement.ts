import { type PgDatabase } from '../common/store/pg-database.js';
import { type Grant } from './tenure-book.js';

/** What a beat tells the engine. */
export interface Beat {
  /** Id of the node, new at each start. */
  readonly node: string;
  /** Key of the accounts that it serves. */
  readonly provider: string;
  /** Release of the gateway, for people. */
  readonly version: string;
  readonly leaseMs: number;
  readonly isDraining: boolean;
  readonly release: readonly Grant[];
  /** Most shares to take of those that nobody holds. */
  readonly claim: number;
}

/** What the engine says. */
export interface BeatAnswer {
  /** All that the node holds now. */
  readonly grants: readonly Grant[];
  /** Nodes that live and do not drain, this one included unless it drains. */
  readonly nodes: number;
  /** Shares of all accounts that may be used. */
  readonly shares: number;
  readonly accountsVersion: number;
}

/**
 * One statement a second: says that the node lives, gives up, renews and takes tenures. Its parts see the same rows as of
 * its beginning, and one time, so that no row is renewed and taken at once.
 *
 * - What is renewed is told by the node alone: its id is new at each start, so a row with it that has not ended was
 *   nobody else's since. A grant that the node never heard of is thus found by its next beat.
 * - Terms are microseconds of the engine: a store that lost everything still grants none that is lower than an earlier one.
 * - Where the server is not the one of the last beat (a promoted standby, a restored copy), nothing is granted until all
 *   that the earlier one may have granted has ended.
 */
const BEAT = `
  WITH clock AS MATERIALIZED (
    SELECT clock_timestamp() AS now, $4::float8 * interval '1 ms' AS lease, server_timeline() AS timeline
  ), seen AS (
    INSERT INTO nodes (id, provider, version, seen_at, is_draining) SELECT $1, $2, $3, now, $5 FROM clock
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, is_draining = excluded.is_draining
  ), moved AS (
    UPDATE meta SET opened_at = clock.now, timeline = clock.timeline FROM clock
    WHERE meta.timeline <> clock.timeline
  ), given_up AS (
    SELECT * FROM unnest($6::text[], $7::integer[], $8::bigint[]) AS given (account, share, term)
  ), released AS (
    UPDATE tenures SET node = NULL, until = NULL FROM given_up
    WHERE tenures.account = given_up.account AND tenures.share = given_up.share AND tenures.term = given_up.term
      AND tenures.node = $1
  ), renewed AS (
    UPDATE tenures SET until = clock.now + clock.lease FROM clock
    WHERE tenures.node = $1 AND tenures.until > clock.now AND NOT EXISTS (
      SELECT 1 FROM given_up WHERE given_up.account = tenures.account AND given_up.share = tenures.share
        AND given_up.term = tenures.term)
    RETURNING tenures.account, tenures.share, tenures.term
  ), claimed AS (
    UPDATE tenures SET node = $1, until = clock.now + clock.lease,
      term = greatest(tenures.term + 1, (extract(epoch FROM clock.now) * 1e6)::bigint)
    FROM clock, (
      SELECT free.account, free.share FROM tenures AS free
        JOIN accounts ON accounts.id = free.account CROSS JOIN meta CROSS JOIN clock
      WHERE accounts.provider = $2 AND accounts.is_enabled AND accounts.is_present
        AND (free.node IS NULL OR free.until < clock.now)
        AND meta.timeline = clock.timeline AND meta.opened_at + clock.lease < clock.now
      ORDER BY free.share, random() LIMIT $9 FOR UPDATE OF free SKIP LOCKED
    ) AS found
    WHERE tenures.account = found.account AND tenures.share = found.share
    RETURNING tenures.account, tenures.share, tenures.term
  ), mine AS (
    SELECT held.account, share, term, is_enabled AND is_present AS "isWanted"
    FROM (SELECT * FROM renewed UNION ALL SELECT * FROM claimed) AS held JOIN accounts ON id = held.account
  )
  SELECT
    (SELECT coalesce(json_agg(mine), '[]') FROM mine) AS grants,
    (SELECT count(*) FROM nodes, clock WHERE nodes.provider = $2 AND NOT nodes.is_draining AND nodes.id <> $1
      AND nodes.seen_at + clock.lease > clock.now) AS others,
    (SELECT count(*) FROM tenures JOIN accounts ON accounts.id = tenures.account
      WHERE accounts.provider = $2 AND accounts.is_enabled AND accounts.is_present) AS shares,
    (SELECT accounts_version FROM meta) AS version`;

/** @param limitMs how long the engine may take */
export async function sendBeat(database: PgDatabase, beat: Beat, limitMs: number): Promise<BeatAnswer> {
  const { node, provider, version, leaseMs, isDraining, release, claim } = beat;
  const [row] = await database.query<{ grants: Grant[]; others: number; shares: number; version: number }>(
    BEAT,
    [
      node,
      provider,
      version,
      leaseMs,
      isDraining,
      release.map(({ account }) => account),
      release.map(({ share }) => share),
      release.map(({ term }) => term),
      isDraining ? 0 : claim,
    ],
    limitMs,
  );
  const { grants, others, shares, version: accountsVersion } = row!;
  return { grants, nodes: others + (isDraining ? 0 : 1), shares, accountsVersion };
}

/** Gives up everything at once, when nothing runs any more. */
export async function sendFarewell(database: PgDatabase, node: string, limitMs: number): Promise<void> {
  await database.query(
    `WITH gone AS (DELETE FROM nodes WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 day')
     UPDATE tenures SET node = NULL, until = NULL WHERE node = $1`,
    [node],
    limitMs,
  );
}
