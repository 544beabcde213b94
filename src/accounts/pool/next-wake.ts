import { type PoolLimits } from './pool-limits.js';
import { type AccountSlots } from './slots/account-slots.js';

/** Interval of the check of idle sessions, so that broken ones are replaced before a request needs them. */
const CHECK_INTERVAL_MS = 5000;

/** Facts about the pool on which the next wake depends. Times are monotonic milliseconds. */
export interface PoolSituation {
  readonly all: readonly AccountSlots[];
  /** Slots of all accounts. */
  readonly size: number;
  /** Time since which the request at the head of the queue has waited; undefined if nobody waits. */
  readonly waitingSince: number | undefined;
  /** Time since which the longest idle session has been idle; undefined without one. */
  readonly longestIdleSince: number | undefined;
}

/** Time at which the mere passing of time may next change a decision of the pool; Infinity if it cannot. */
export function nextWakeAt(situation: PoolSituation, limits: PoolLimits, now: number): number {
  const { all, size, waitingSince, longestIdleSince } = situation;
  let wakeAt = waitingSince === undefined ? Infinity : waitingSince + limits.acquireTimeoutMs;
  // Over every account twice in each request, so without arrays.
  for (const slots of all) {
    if (slots.account.isUsable) {
      const { cooldown, refusals, rest } = slots.account;
      wakeAt = earlier(wakeAt, cooldown.nextStartAt(now));
      wakeAt = earlier(wakeAt, refusals.endAfter(now));
      wakeAt = earlier(wakeAt, rest.endAfter(now));
      wakeAt = earlier(wakeAt, slots.lateAt(now));
      wakeAt = earlier(wakeAt, slots.reopensAt(now));
      wakeAt = earlier(wakeAt, slots.refillsAt(now));
    }
  }
  if (longestIdleSince !== undefined) {
    wakeAt = earlier(wakeAt, now + CHECK_INTERVAL_MS);
    if (size > limits.minSessions) {
      wakeAt = earlier(wakeAt, longestIdleSince + limits.idleMs);
    }
  }
  return wakeAt;
}

function earlier(time: number, other: number | undefined): number {
  return other !== undefined && other < time ? other : time;
}
