import { type AccountSlots } from './account-slots.js';

/** Logging in is heavy and draws attention; further sessions of an account that is logged in are cheap. */
const PARALLEL_LOGINS = 2;
const PARALLEL_OPENINGS = 8;

export interface PoolLimits {
  readonly minSessions: number;
  readonly maxSessions: number;
  readonly maxPerAccount: number;
}

export interface Demand {
  /** Requests in the queue. */
  readonly waiting: number;
  /** Accounts that the first of them has tried before. */
  readonly tried: ReadonlySet<string>;
}

/**
 * The account of which a session should be opened now: for requests that wait and have none on its way, for an
 * account that is to prove its login or is used too little, or to keep the warm minimum.
 */
export function nextToOpen(
  all: readonly AccountSlots[],
  demand: Demand,
  limits: PoolLimits,
  now: number,
): AccountSlots | undefined {
  const opening = all.reduce((sum, slots) => sum + slots.opening, 0);
  if (opening >= PARALLEL_OPENINGS) {
    return undefined;
  }
  const logins = all.filter((slots) => slots.isCold && slots.opening > 0).length;
  const openable = all.filter(
    (slots) =>
      canBeUsed(slots, now) &&
      slots.size < limits.maxPerAccount &&
      (!slots.isCold || (slots.opening === 0 && logins < PARALLEL_LOGINS)),
  );
  // What is opened for an account that cools by now serves nobody who waits.
  const coming = all.reduce((sum, slots) => sum + (canBeUsed(slots, now) ? slots.opening : 0), 0);
  if (demand.waiting > coming) {
    const able = openable.filter((slots) => slots.idle.length === 0 && slots.obstacle(now) === undefined);
    const fresh = able.filter(({ account }) => !demand.tried.has(account.id));
    const best = smallest(fresh.length > 0 ? fresh : able);
    if (best) {
      return best;
    }
  }
  const wanted = openable.filter((slots) => slots.isWanted && slots.opening === 0);
  if (wanted.length > 0) {
    return smallest(wanted);
  }
  // What is wanted counts as soon as its turn to log in has come.
  const isComing = all.some((slots) => slots.isWanted && canBeUsed(slots, now));
  const size = all.reduce((sum, slots) => sum + slots.size, 0);
  return !isComing && size < Math.min(limits.minSessions, limits.maxSessions)
    ? smallest(openable)
    : undefined;
}

function canBeUsed(slots: AccountSlots, now: number): boolean {
  const { isUsable, cooldown } = slots.account;
  return isUsable && !cooldown.isCooling(now) && slots.reopensAt(now) === undefined;
}

function smallest(candidates: readonly AccountSlots[]): AccountSlots | undefined {
  return candidates.reduce<AccountSlots | undefined>(
    (best, slots) =>
      !best || slots.size < best.size || (slots.size === best.size && slots.lastUse < best.lastUse)
        ? slots
        : best,
    undefined,
  );
}
