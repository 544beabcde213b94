import { type AccountCandidate, type Obstacle } from './account-selection.js';
import { type AccountSlots } from './slots/account-slots.js';

/** Reason why the account may take no lease at `now` (monotonic milliseconds), whatever its slots. */
export function obstacleOf({ account }: AccountSlots, now: number): Obstacle | undefined {
  if (!account.isEnabled) {
    return 'disabled';
  }
  if (account.loginFailure) {
    return 'login_required';
  }
  return account.tenure.isHeld ? account.cooldown.obstacle(now) : 'elsewhere';
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

/** Usable, and not in a cooldown. */
function isAwake({ account }: AccountSlots, now: number): boolean {
  return account.isUsable && !account.cooldown.isCooling(now);
}
