import { type AccountCandidate, type Obstacle } from './account-selection.js';
import { type AccountSlots } from './slots/account-slots.js';

/** Reason why the account may take no lease at `now` (monotonic milliseconds), whatever its slots. */
export function obstacleOf({ account }: AccountSlots, now: number): Obstacle | undefined {
  const { outOfUse, tenure, cooldown } = account;
  if (outOfUse) {
    return outOfUse;
  }
  // Of several nodes that use one account, one sends the probe; the others wait for its answer.
  return cooldown.awaitsProbe(now) && !tenure.mayProbe ? 'half_open' : cooldown.obstacle(now);
}

/**
 * The account as a candidate for one request.
 * @param avoided why others are preferred
 */
export function candidateOf(
  slots: AccountSlots,
  now: number,
  avoided?: Obstacle,
): AccountCandidate & { readonly slots: AccountSlots } {
  return {
    slots,
    name: slots.account.name,
    obstacle: obstacleOf(slots, now) ?? avoided ?? (slots.idle === 0 ? 'no_free_session' : undefined),
    leases: slots.leases,
    lastUse: slots.lastUse,
  };
}

/** Whether sessions of the account may be opened: it is usable, and neither a cooldown nor a back-off runs. */
export function mayOpen(slots: AccountSlots, now: number): boolean {
  return isAwake(slots, now) && slots.reopensAt(now) === undefined;
}

/** Whether it makes sense to wait for a session of the account. */
export function isHopeful(slots: AccountSlots, now: number): boolean {
  return isAwake(slots, now) && (slots.size > 0 || slots.reopensAt(now) === undefined);
}

/** Whether the account can take a request, now or when one of its sessions is free. */
export function canServe(slots: AccountSlots, now: number): boolean {
  return isHopeful(slots, now) && obstacleOf(slots, now) === undefined;
}

/** Whether the account will take another request, if not soon. */
function isAtWork(slots: AccountSlots, now: number): boolean {
  return slots.leases > 0 && canServe(slots, now);
}

/** Whether another session of the account may be opened, as far as the other accounts permit it. */
export function hasRoom(slots: AccountSlots, maxPerAccount: number, now: number): boolean {
  const { account, size, isCold, opening } = slots;
  return mayOpen(slots, now) && size < account.tenure.partOf(maxPerAccount) && !(isCold && opening > 0);
}

/**
 * Why a request is to pass accounts over for others, if for any reason. An account that rests after failures serves only
 * when no other can: one that fails at once always has the fewest leases, and would draw most requests. An account that
 * the request has tried serves it unless another one has a session, or is about to: a long answer may take all of those.
 * @param tried ids of the accounts that the request has tried before
 */
export function avoidance(
  all: readonly AccountSlots[],
  tried: ReadonlySet<string>,
  maxPerAccount: number,
  now: number,
): (slots: AccountSlots) => Extract<Obstacle, 'resting' | 'tried_before'> | undefined {
  const isResting = ({ account }: AccountSlots) => account.rest.endAfter(now) !== undefined;
  if (tried.size === 0 && !all.some(isResting)) {
    return avoidsNone;
  }
  const isTried = ({ account }: AccountSlots) => tried.has(account.id);
  const servesSoon = (slots: AccountSlots) =>
    canServe(slots, now) &&
    (slots.idle > 0 || slots.openingInTime(now) > 0 || hasRoom(slots, maxPerAccount, now));
  const mayRest = all.some((slots) => !isResting(slots) && (servesSoon(slots) || isAtWork(slots, now)));
  const rests = (slots: AccountSlots) => mayRest && isResting(slots);
  const mayAvoid =
    tried.size > 0 && all.some((slots) => !isTried(slots) && !rests(slots) && servesSoon(slots));
  return (slots) => (rests(slots) ? 'resting' : mayAvoid && isTried(slots) ? 'tried_before' : undefined);
}

export function avoidsNone(): undefined {
  return undefined;
}

/** Whether another gateway uses the account at present, and this one may get it: it asks where requests wait. */
export function mayCome({ account }: AccountSlots): boolean {
  return account.outOfUse === 'elsewhere' && account.tenure.mayCome;
}

/** Usable, and not in a cooldown. */
function isAwake({ account }: AccountSlots, now: number): boolean {
  return account.isUsable && !account.cooldown.isCooling(now);
}
