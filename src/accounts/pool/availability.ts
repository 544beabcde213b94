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

/** The account as a candidate for one request. */
export function candidateOf(
  slots: AccountSlots,
  now: number,
  isAvoided: boolean,
): AccountCandidate & { readonly slots: AccountSlots } {
  const unfit = isAvoided ? 'tried_before' : slots.idle === 0 ? 'no_free_session' : undefined;
  return {
    slots,
    name: slots.account.name,
    obstacle: obstacleOf(slots, now) ?? unfit,
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

/** Whether another gateway uses the account at present, and this one may get it: it asks where requests wait. */
export function mayCome({ account }: AccountSlots): boolean {
  return account.outOfUse === 'elsewhere' && account.tenure.mayCome;
}

/** Usable, and not in a cooldown. */
function isAwake({ account }: AccountSlots, now: number): boolean {
  return account.isUsable && !account.cooldown.isCooling(now);
}
