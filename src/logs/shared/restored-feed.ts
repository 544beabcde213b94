import { type PgQuery } from '../../common/store/pg-client.js';
import { type Clock } from '../../common/time/clock.js';
import { AHEAD } from './feed.js';
import { inMaintenance } from './log-days.js';
import { type SharedConnection } from './shared-connection.js';

/** Records settled in one transaction. */
const SLICE = 5000;
/** Time for the slices of one maintenance run; shipping waits meanwhile. */
const TIME_LIMIT_MS = 5000;

/**
 * Settles what a restored database holds, the rest in the next maintenance run: since it counts its transactions anew, changes of
 * the dump would seem to be yet to come, and what followers wait for. They are put before all others. Does nothing
 * while another node is at it.
 */
export async function settleRestored(
  connection: SharedConnection,
  clock: Pick<Clock, 'monotonic'>,
): Promise<void> {
  const deadline = clock.monotonic() + TIME_LIMIT_MS;
  let settled: boolean | undefined;
  do {
    settled = await inMaintenance(connection, settleSlice);
  } while (settled && clock.monotonic() < deadline);
}

/** @returns whether there was anything to settle */
async function settleSlice(query: PgQuery): Promise<boolean> {
  // The order has the index used even where nothing is known of a table that was just restored.
  const [last] = await query<{ table: string }>(
    `SELECT tableoid::regclass::text AS table FROM log_records WHERE ${AHEAD} ORDER BY feed DESC LIMIT 1`,
  );
  if (last === undefined) {
    return false;
  }
  // Within one day, where rows are found by their place. One that a node ships meanwhile is not ahead any more.
  await query(
    `UPDATE ${last.table} SET feed = 0 WHERE ${AHEAD}
       AND ctid = ANY (ARRAY(SELECT ctid FROM ${last.table} WHERE ${AHEAD} ORDER BY feed LIMIT ${SLICE}))`,
  );
  return true;
}
