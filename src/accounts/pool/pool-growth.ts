import { avoidance, hasRoom, mayOpen, obstacleOf, suitable } from './availability.js';
import { type SessionNeed } from './lease.js';
import { type PoolLimits } from './pool-limits.js';
import { type AccountSlots } from './slots/account-slots.js';

/**
 * Logging in is heavy and draws attention; further sessions of an account that is logged in are cheap. Logins that are
 * late do not count, and those after a failure only among each other: they would keep the others from logging in.
 */
const PARALLEL_LOGINS = 2;
const PARALLEL_OPENINGS = 8;

/** Requests in the queue that are for one model, and for one account if for any, and the need of the first of them. */
export interface Demand extends SessionNeed {
  readonly waiting: number;
}

/**
 * The account of which another session should be opened now, or undefined. Reasons, in this order: requests wait and
 * have no session on its way; an account is to prove its login or to share the load; the warm minimum.
 * @param demands of each model, the one that has waited longest first
 */
export function nextToOpen(
  all: readonly AccountSlots[],
  demands: readonly Demand[],
  limits: Pick<PoolLimits, 'minSessions' | 'maxSessions' | 'maxPerAccount'>,
  now: number,
): AccountSlots | undefined {
  const openable = openableAccounts(all, undefined, limits.maxPerAccount, now);
  const refillable = openable.filter((slots) => slots.refillsAt(now) === undefined);
  return (
    forWaiting(all, demands, limits.maxPerAccount, now) ??
    smallest(refillable.filter((slots) => slots.isWanted && slots.opening === 0)) ??
    forWarmMinimum(all, refillable, Math.min(limits.minSessions, limits.maxSessions), now)
  );
}

function openableAccounts(
  all: readonly AccountSlots[],
  model: string | undefined,
  maxPerAccount: number,
  now: number,
): readonly AccountSlots[] {
  if (sum(all, ({ opening }) => opening) >= PARALLEL_OPENINGS) {
    return [];
  }
  const logins = all.filter((slots) => slots.isCold && slots.openingInTime(now) > 0);
  const mayLogIn = (slots: AccountSlots) =>
    logins.filter((other) => hasFailed(other) === hasFailed(slots)).length < PARALLEL_LOGINS;
  return all.filter(
    (slots) => hasRoom(slots, model, maxPerAccount, now) && (!slots.isCold || mayLogIn(slots)),
  );
}

function forWaiting(
  all: readonly AccountSlots[],
  demands: readonly Demand[],
  maxPerAccount: number,
  now: number,
): AccountSlots | undefined {
  // Requests that wait out the cooldown of their model take none of the sessions on their way.
  const present = demands.filter((demand) =>
    suitable(all, demand, now).some((slots) => mayOpen(slots, demand.model, now)),
  );
  const waiting = present.reduce((total, demand) => total + demand.waiting, 0);
  for (const demand of present) {
    const slots = forModel(all, { ...demand, waiting }, maxPerAccount, now);
    if (slots) {
      return slots;
    }
  }
  return undefined;
}

function forModel(
  all: readonly AccountSlots[],
  { waiting, ...need }: Demand,
  maxPerAccount: number,
  now: number,
): AccountSlots | undefined {
  const { model } = need;
  const suited = suitable(all, need, now);
  const avoided = avoidance(suited, need, maxPerAccount, now);
  const serves = (slots: AccountSlots) =>
    suited.includes(slots) && mayOpen(slots, model, now) && avoided(slots) !== 'resting';
  // A session on its way for an account that has begun to cool, or to rest, serves none of the waiting requests.
  if (waiting <= sum(all.filter(serves), (slots) => slots.openingInTime(now))) {
    return undefined;
  }
  const able = openableAccounts(all, model, maxPerAccount, now).filter(
    (slots) => serves(slots) && slots.idle === 0 && obstacleOf(slots, model, now) === undefined,
  );
  return smallest(able.filter((slots) => avoided(slots) === undefined)) ?? smallest(able);
}

function forWarmMinimum(
  all: readonly AccountSlots[],
  openable: readonly AccountSlots[],
  minSessions: number,
  now: number,
): AccountSlots | undefined {
  // A wanted session counts already, although its account may wait for its turn to log in.
  const isComing = all.some((slots) => slots.isWanted && mayOpen(slots, undefined, now));
  return !isComing && sum(all, ({ size }) => size) < minSessions ? smallest(openable) : undefined;
}

/**
 * The account with the fewest slots, and among those the least recently used; one whose last opening failed only without
 * any other.
 */
function smallest(candidates: readonly AccountSlots[]): AccountSlots | undefined {
  const order = (a: AccountSlots, b: AccountSlots) =>
    Number(hasFailed(a)) - Number(hasFailed(b)) || a.size - b.size || a.lastUse - b.lastUse;
  return candidates.reduce<AccountSlots | undefined>(
    (best, slots) => (best && order(best, slots) <= 0 ? best : slots),
    undefined,
  );
}

function hasFailed({ openError }: AccountSlots): boolean {
  return openError !== undefined;
}

function sum(all: readonly AccountSlots[], valueOf: (slots: AccountSlots) => number): number {
  return all.reduce((total, slots) => total + valueOf(slots), 0);
}
