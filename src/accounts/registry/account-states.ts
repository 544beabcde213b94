import { type Account, type AccountState } from './account.js';

/** Number of accounts in each state; `now` in monotonic milliseconds. */
export function countStates(accounts: readonly Account[], now: number): Record<AccountState, number> {
  const counts = { ready: 0, cooldown: 0, login_required: 0, disabled: 0 };
  for (const account of accounts) {
    counts[account.stateAt(now)] += 1;
  }
  return counts;
}
