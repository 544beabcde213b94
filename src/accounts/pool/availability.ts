import { type Account } from '../registry/account.js';
import { type Obstacle } from './account-selection.js';
import { type SessionNeed } from './lease.js';
import { type AccountSlots } from './slots/account-slots.js';

/** Reason why the account may take no lease for the model at `now` (monotonic milliseconds), whatever its slots. */
export function obstacleOf({ account }: AccountSlots, model: string, now: number): Obstacle | undefined {
  const { outOfUse, tenure, cooldown } = account;
  if (outOfUse) {
    return outOfUse;
  }
  // Of several nodes that use one account, one sends the probe; the others wait for its answer.
  return cooldown.awaitsProbe(now, model) && !tenure.mayProbe ? 'half_open' : cooldown.obstacle(now, model);
}

/**
 * The accounts that may serve a request: the one that it must be, or all but those that the upstream has refused the model,
 * unless no other is usable.
 */
export function suitable(
  all: readonly AccountSlots[],
  { model, only }: Pick<SessionNeed, 'model' | 'only'>,
  now: number,
): readonly AccountSlots[] {
  if (only !== undefined) {
    return all.filter(({ account }) => account.id === only);
  }
  const isRefused = ({ account }: AccountSlots) => account.refusals.includes(model, now);
  if (!all.some(isRefused)) {
    return all;
  }
  const others = all.filter((slots) => !isRefused(slots));
  return others.some(({ account }) => account.isUsable) ? others : all;
}

/**
 * Whether sessions of the account may be opened: it is usable, and neither a cooldown nor a back-off runs.
 * @param model the one that a session is for; undefined if no request waits for it
 */
export function mayOpen(slots: AccountSlots, model: string | undefined, now: number): boolean {
  return isAwake(slots, model, now) && slots.reopensAt(now) === undefined;
}

/** Whether it makes sense to wait for a session of the account. */
export function isHopeful(slots: AccountSlots, model: string, now: number): boolean {
  return isAwake(slots, model, now) && (slots.size > 0 || slots.reopensAt(now) === undefined);
}

/** Whether the account can take a request, now or when one of its sessions is free. */
export function canServe(slots: AccountSlots, model: string, now: number): boolean {
  return isHopeful(slots, model, now) && obstacleOf(slots, model, now) === undefined;
}

/** Whether the account will take another request, if not soon. */
function isAtWork(slots: AccountSlots, model: string, now: number): boolean {
  return slots.leases > 0 && canServe(slots, model, now);
}

/** As `mayOpen`, for another session under the cap of the account. */
export function hasRoom(
  slots: AccountSlots,
  model: string | undefined,
  maxPerAccount: number,
  now: number,
): boolean {
  const { account, size, isCold, opening } = slots;
  return (
    mayOpen(slots, model, now) && size < account.tenure.partOf(maxPerAccount) && !(isCold && opening > 0)
  );
}

type Avoidance = Extract<Obstacle, 'resting' | 'tried_before' | 'other_model_limited'>;

/**
 * Why a request is to pass accounts over for others, if for any reason. An account that rests after failures serves only
 * when no other can: one that fails at once always has the fewest leases, and would draw most requests. An account that
 * the request has tried serves it unless another one has a session, or is about to: a long answer may take all of those.
 * So does one whose other model is limited: the limit may yet turn out to be the account's.
 */
export function avoidance(
  all: readonly AccountSlots[],
  { model, tried }: SessionNeed,
  maxPerAccount: number,
  now: number,
): (slots: AccountSlots) => Avoidance | undefined {
  const isResting = ({ account }: AccountSlots) => account.rest.endAfter(now) !== undefined;
  const isLimited = ({ account }: AccountSlots) => account.cooldown.isCooling(now);
  if (tried.size === 0 && !all.some((slots) => isResting(slots) || isLimited(slots))) {
    return avoidsNone;
  }
  const isTried = ({ account }: AccountSlots) => tried.has(account.id);
  const servesSoon = (slots: AccountSlots) =>
    canServe(slots, model, now) &&
    (slots.idle > 0 || slots.openingInTime(now) > 0 || hasRoom(slots, model, maxPerAccount, now));
  const mayRest = all.some(
    (slots) => !isResting(slots) && (servesSoon(slots) || isAtWork(slots, model, now)),
  );
  const rests = (slots: AccountSlots) => mayRest && isResting(slots);
  const others = all.filter((slots) => !rests(slots) && servesSoon(slots));
  const mayAvoidTried = tried.size > 0 && others.some((slots) => !isTried(slots));
  const isPassedOver = (slots: AccountSlots) => mayAvoidTried && isTried(slots);
  const mayAvoidLimited = others.some((slots) => !isPassedOver(slots) && !isLimited(slots));
  return (slots) => {
    if (rests(slots)) {
      return 'resting';
    }
    if (isPassedOver(slots)) {
      return 'tried_before';
    }
    return mayAvoidLimited && isLimited(slots) ? 'other_model_limited' : undefined;
  };
}

export function avoidsNone(): undefined {
  return undefined;
}

/** Whether another gateway uses the account at present, and this one may get it: it asks where requests wait. */
export function mayCome({ account }: AccountSlots): boolean {
  return account.outOfUse === 'elsewhere' && account.tenure.mayCome;
}

/** Usable, and not in a cooldown of the model; without one, not in any. */
function isAwake({ account }: AccountSlots, model: string | undefined, now: number): boolean {
  return account.isUsable && !account.cooldown.isCooling(now, model);
}

/** Whether an account may serve requests for one of the models at least. @param now monotonic milliseconds */
export function servesAny(
  { isUsable, cooldown }: Pick<Account, 'isUsable' | 'cooldown'>,
  models: readonly string[],
  now: number,
): boolean {
  return isUsable && models.some((model) => !cooldown.isCooling(now, model));
}
