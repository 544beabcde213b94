import { type PoolStats } from '../accounts/pool/pool-stats.js';
import { type Account, type AccountState } from '../accounts/registry/account.js';
import { type AccountView, toAccountView } from './account-view.js';

/** The accounts that the overview shows. */
export interface AccountGlance {
  /** At most 8: those that need a person or time first, else in the order of the list. */
  readonly accounts: readonly AccountView[];
  /** Number of all others. */
  readonly others: number;
}

const SHOWN = 8;
/** What is wrong comes first; what is switched off or used by another gateway concerns nobody here. */
const ORDER: readonly AccountState[] = ['login_required', 'cooldown', 'ready', 'elsewhere', 'disabled'];

/**
 * The accounts to be looked at first.
 * @param now monotonic milliseconds
 * @param wallNow Unix milliseconds at the same moment
 */
export function accountGlance(
  accounts: readonly Account[],
  sessions: PoolStats['accounts'],
  now: number,
  wallNow: number,
): AccountGlance {
  const byState = Map.groupBy(accounts, (account) => account.stateAt(now));
  const first = ORDER.flatMap((state) => byState.get(state) ?? []).slice(0, SHOWN);
  return {
    accounts: first.map((account) => toAccountView(account, sessions[account.id], now, wallNow)),
    others: accounts.length - first.length,
  };
}
