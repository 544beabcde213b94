import { suitable } from '../availability.js';
import { type Demand } from '../pool-growth.js';
import { type AccountSlots } from '../slots/account-slots.js';

/**
 * How many of the waiting requests count towards a full queue for one for the model: those that wait out the cooldown of
 * another model take no session before it, and must not keep it out.
 */
export function rivals(
  all: readonly AccountSlots[],
  demands: readonly Demand[],
  model: string,
  now: number,
): number {
  const rivalling = cools(all, model, now)
    ? demands
    : demands.filter((demand) => !cools(all, demand.model, now));
  return rivalling.reduce((total, { waiting }) => total + waiting, 0);
}

/** Whether a cooldown holds back the requests for the model at every account that could serve them. */
function cools(all: readonly AccountSlots[], model: string, now: number): boolean {
  const usable = suitable(all, model, now).filter(({ account }) => account.isUsable);
  return usable.length > 0 && usable.every(({ account }) => account.cooldown.isCooling(now, model));
}
