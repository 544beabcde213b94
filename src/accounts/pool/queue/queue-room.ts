import { suitable } from '../availability.js';
import { type SessionNeed } from '../lease.js';
import { type Demand, nextToOpen } from '../pool-growth.js';
import { type PoolLimits } from '../pool-limits.js';
import { type AccountSlots } from '../slots/account-slots.js';
import { type SessionInventory } from '../slots/session-inventory.js';

/** Whether as many requests wait as may, and at least as many as sessions are about to come for. */
export function isQueueFull(
  inventory: SessionInventory,
  demands: readonly Demand[],
  need: SessionNeed,
  limits: PoolLimits,
  now: number,
): boolean {
  const ahead = rivals(inventory.all(), demands, need, now);
  return ahead >= limits.queueLimit && ahead >= sessionsToCome(inventory, demands, need, limits, now);
}

/** Sessions that are being opened, and the one that would be for another request; for each a request may wait. */
function sessionsToCome(
  inventory: SessionInventory,
  demands: readonly Demand[],
  need: SessionNeed,
  limits: PoolLimits,
  now: number,
): number {
  const demand = { ...need, waiting: total(demands) + 1 };
  const hasPlace = inventory.size < limits.maxSessions || inventory.longestIdle() !== undefined;
  const next = nextToOpen(inventory.all(), [demand], limits, now);
  return inventory.opening + (hasPlace && next ? 1 : 0);
}

/**
 * How many of the waiting requests count towards a full queue for one for the model: those that wait out the cooldown of
 * another model take no session before it, and must not keep it out.
 */
function rivals(
  all: readonly AccountSlots[],
  demands: readonly Demand[],
  need: SessionNeed,
  now: number,
): number {
  const rivalling = cools(all, need, now) ? demands : demands.filter((demand) => !cools(all, demand, now));
  return total(rivalling);
}

function total(demands: readonly Demand[]): number {
  return demands.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** Whether a cooldown of the model holds back such requests at every account that could serve them. */
function cools(all: readonly AccountSlots[], need: SessionNeed, now: number): boolean {
  const usable = suitable(all, need, now).filter(({ account }) => account.isUsable);
  return usable.length > 0 && usable.every(({ account }) => account.cooldown.isCooling(now, need.model));
}
