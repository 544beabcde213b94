import { setTimeout as pause } from 'node:timers/promises';

const DAY_MS = 86_400_000;

/** More than a test of what is counted by the day takes on a busy machine. */
const TEST_MS = 60_000;

/**
 * Waits until midnight in UTC is past if it is near: what is counted by the day begins anew then. For `beforeEach`, in
 * tests of the real clock, this machine's or the database's.
 */
export async function withinOneDay(): Promise<void> {
  // A timer may end a moment before the clock says so.
  for (let leftMs = untilMidnight(); leftMs < TEST_MS; leftMs = untilMidnight()) {
    await pause(leftMs);
  }
}

function untilMidnight(): number {
  return DAY_MS - (Date.now() % DAY_MS);
}
