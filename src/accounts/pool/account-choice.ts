import { byUse, type ConsideredAccount, selectAccount } from './account-selection.js';
import { avoidance, avoidsNone, canServe, obstacleOf, suitable } from './availability.js';
import { type SessionNeed } from './lease.js';
import { type AccountSlots } from './slots/account-slots.js';

/** The account that a request takes, and how it was found. */
interface AccountChoice {
  readonly chosen: AccountSlots | undefined;
  /** Outcome for each account, for the request log. */
  readonly considered: readonly ConsideredAccount[];
  /** The account whose turn it was, if it only has no session. */
  readonly turn: AccountSlots | undefined;
}

/**
 * Chooses among the accounts for one request.
 * @param isLast whether the request is refused otherwise, so that no account is passed over
 */
export function chooseAccount(
  all: readonly AccountSlots[],
  need: SessionNeed,
  { maxPerAccount, isLast = false }: { readonly maxPerAccount: number; readonly isLast?: boolean },
  now: number,
): AccountChoice {
  const { model } = need;
  const suited = suitable(all, need, now);
  const asked = need.only === undefined ? all : suited;
  const isExcluded = ({ account }: AccountSlots) =>
    suited.length < asked.length && account.refusals.includes(model, now);
  const avoided = isLast ? avoidsNone : avoidance(suited, need, maxPerAccount, now);
  const obstacle = (slots: AccountSlots) =>
    obstacleOf(slots, model, now) ??
    (isExcluded(slots) ? 'model_refused' : avoided(slots)) ??
    (slots.idle === 0 ? 'no_free_session' : undefined);
  const candidates = asked.map((slots) => ({
    slots,
    name: slots.account.name,
    obstacle: obstacle(slots),
    leases: slots.leases,
    lastUse: slots.lastUse,
  }));
  const { chosen, considered } = selectAccount(candidates);
  let turn: AccountSlots | undefined;
  for (const slots of suited) {
    const isEarlier = turn === undefined || byUse(slots, turn) < 0;
    if (isEarlier && avoided(slots) !== 'resting' && canServe(slots, model, now)) {
      turn = slots;
    }
  }
  return { chosen: chosen?.slots, considered, turn: turn?.idle === 0 ? turn : undefined };
}
