import { type Settings } from '../../common/config/settings.js';
import { type Account } from '../registry/account.js';
import { type AccountSlots } from './slots/account-slots.js';

interface SessionCounts {
  /** Open sessions, idle or leased. */
  readonly sessions: number;
  readonly idle: number;
  readonly leases: number;
  /** Sessions that are being opened. */
  readonly opening: number;
}

export interface AccountSessions extends SessionCounts {
  /** Reason why the last opening failed, e.g. `launch_failed`; missing if it succeeded. */
  readonly openFailure?: string;
}

/** Snapshot of the pool, for dashboard and metrics. */
export interface PoolStats extends SessionCounts {
  /** Requests in the queue. */
  readonly waiting: number;
  /** Most sessions that the accounts which are ready may have. */
  readonly capacity: number;
  /** By account id. */
  readonly accounts: Readonly<Record<string, AccountSessions>>;
}

export function poolStats(
  all: readonly AccountSlots[],
  { waiting, capacity }: Pick<PoolStats, 'waiting' | 'capacity'>,
): PoolStats {
  const total = { sessions: 0, idle: 0, leases: 0, opening: 0 };
  const accounts: Record<string, AccountSessions> = {};
  for (const { account, idle, leases, opening, openError } of all) {
    const counts = { sessions: idle + leases, idle, leases, opening };
    accounts[account.id] = { ...counts, openFailure: openError?.fault };
    total.sessions += counts.sessions;
    total.idle += counts.idle;
    total.leases += counts.leases;
    total.opening += counts.opening;
  }
  return { ...total, waiting, capacity, accounts };
}

/**
 * Most sessions that the accounts which are ready may have at once; of accounts shared with other nodes, this one's part.
 * @param now monotonic milliseconds
 */
export function poolCapacity(
  accounts: readonly Account[],
  settings: Pick<Settings, 'POOL_MAX_SESSIONS' | 'POOL_MAX_SESSIONS_PER_ACCOUNT'>,
  now: number,
): number {
  const { POOL_MAX_SESSIONS: most, POOL_MAX_SESSIONS_PER_ACCOUNT: whole } = settings;
  return accounts
    .filter((account) => account.stateAt(now) === 'ready')
    .reduce((sum, { tenure }) => Math.min(most, sum + tenure.partOf(whole)), 0);
}
