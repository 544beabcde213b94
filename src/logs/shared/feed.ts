import { ADVISORY_LOCKS } from '../../common/store/advisory-locks.js';

/** Channel on which a batch is announced. */
export const FEED_CHANNEL = 'log_feed';

/**
 * SQL: hears of each batch, and has all nodes ship sooner while the connection lasts, beginning at once. The end of the
 * connection, however it comes, is all that it takes to undo it.
 */
export const FOLLOW = `
  LISTEN ${FEED_CHANNEL};
  SELECT pg_advisory_lock_shared(${ADVISORY_LOCKS.logFollowers});
  SELECT shared_changed('log_followers')`;

/** SQL: whether any connection follows. */
export const IS_FOLLOWED = `EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${ADVISORY_LOCKS.logFollowers}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/**
 * Positions per transaction: more than the records that one changes (at most 1,500), and few enough that a position stays
 * an exact number of JavaScript for 10^12 transactions.
 */
const STEP = 4096;

/**
 * SQL: position of the `at`-th change (from 1, below 4096) of the transaction at hand among those of all nodes. Later
 * transactions have higher ones, whenever they end.
 */
export function feedPosition(at: string): string {
  return `(pg_current_xact_id()::text::bigint * ${STEP} + ${at})`;
}

/** SQL: changes of transactions before which none runs any more, so that no earlier position can appear. */
export const SETTLED = `feed < pg_snapshot_xmin(pg_current_snapshot())::text::bigint * ${STEP}`;

/** SQL: changes of transactions that are yet to come; such a number is that of another server. */
export const AHEAD = `feed >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint * ${STEP}`;
