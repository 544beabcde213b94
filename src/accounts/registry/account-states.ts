import { type Account, type AccountState } from './account.js';

/** The state of an account that this gateway may use. */
export type HeldState = Exclude<AccountState, 'elsewhere'>;

/**
 * Number of accounts in each state; `now` in monotonic milliseconds. Each is counted by one gateway, so that the sums over
 * all gateways are right: the holder of its first share, or of one that is switched off, the first gateway.
 */
export function countStates(accounts: readonly Account[], now: number): Record<HeldState, number> {
  const counts = { ready: 0, cooldown: 0, login_required: 0, disabled: 0 };
  for (const account of accounts.filter(({ isReportedHere }) => isReportedHere)) {
    const state = account.stateAt(now);
    if (state !== 'elsewhere') {
      counts[state] += 1;
    }
  }
  return counts;
}
