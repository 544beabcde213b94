import { type AccountSessions } from '../../accounts/pool/pool-stats.js';
import { type Account, type AccountState } from '../../accounts/registry/account.js';

/** `logging_in`: ready, but without a session yet. */
type AccountGroup = AccountState | 'logging_in';

/** The accounts in a few numbers. */
export interface AccountsStatus {
  /**
   * Numbers of accounts: all, and those in a state. `elsewhere`: used by other gateways, which may give one up; not among
   * all.
   */
  readonly accounts: Readonly<Record<AccountGroup | 'all', number>>;
  /** Milliseconds until the first account comes out of its cooldown; missing while any is ready, or none cools down. */
  readonly nextReadyMs?: number;
}

/**
 * @param sessions of the accounts, by their ids
 * @param now monotonic milliseconds
 */
export function statusOf(
  accounts: readonly Account[],
  sessions: Readonly<Record<string, Pick<AccountSessions, 'sessions' | 'opening'>>>,
  now: number,
): AccountsStatus {
  const counts = { ready: 0, logging_in: 0, cooldown: 0, login_required: 0, disabled: 0, elsewhere: 0 };
  const groupOf = (account: Account): AccountGroup => {
    const state = account.stateAt(now);
    const own = sessions[account.id];
    return state === 'ready' && own?.sessions === 0 && own.opening > 0 ? 'logging_in' : state;
  };
  for (const account of accounts) {
    const group = groupOf(account);
    counts[group] += Number(group !== 'elsewhere' || account.tenure.mayCome);
  }
  const all = accounts.filter(({ outOfUse }) => outOfUse !== 'elsewhere').length;
  const isLimited = counts.cooldown > 0 && counts.ready + counts.logging_in === 0;
  return { accounts: { all, ...counts }, ...(isLimited && { nextReadyMs: firstReadyMs(accounts, now) }) };
}

function firstReadyMs(accounts: readonly Account[], now: number): number {
  const cooling = accounts.filter((account) => account.stateAt(now) === 'cooldown');
  return Math.ceil(Math.min(...cooling.map(({ cooldown }) => cooldown.remainingMs(now))));
}
