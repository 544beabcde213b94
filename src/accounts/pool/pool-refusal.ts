import { RateLimitError } from '../../common/errors/gateway.errors.js';
import { NoUsableAccountError } from '../registry/accounts.errors.js';
import { isHopeful } from './availability.js';
import { type AccountSlots } from './slots/account-slots.js';

/** The reason why no request can be served however long it waits; undefined if waiting makes sense. */
export function poolRefusal(all: readonly AccountSlots[], now: number): Error | undefined {
  const usable = all.filter(({ account }) => account.isUsable);
  if (usable.length === 0) {
    return new NoUsableAccountError();
  }
  const awake = usable.filter(({ account }) => !account.cooldown.isCooling(now));
  if (awake.length === 0) {
    return new RateLimitError(
      'Every account cools down after a rate limit of the upstream.',
      earliestCooldownEndMs(usable, now),
    );
  }
  return awake.some((slots) => isHopeful(slots, now)) ? undefined : awake[0]?.openError;
}

/** Milliseconds until the first usable account is out of its cooldown; 0 if one is, or if there is none. */
export function earliestCooldownEndMs(all: readonly AccountSlots[], now: number): number {
  const waits = all
    .filter(({ account }) => account.isUsable)
    .map(({ account }) => account.cooldown.remainingMs(now));
  return waits.length === 0 ? 0 : Math.min(...waits);
}
