import { type Settings } from '../../common/config/settings.js';
import { type Account } from '../registry/account.js';

/**
 * Most sessions that the accounts which are ready may have at once.
 * @param now monotonic milliseconds
 */
export function poolCapacity(
  accounts: readonly Account[],
  settings: Pick<Settings, 'POOL_MAX_SESSIONS' | 'POOL_MAX_SESSIONS_PER_ACCOUNT'>,
  now: number,
): number {
  const ready = accounts.filter((account) => account.stateAt(now) === 'ready').length;
  return Math.min(settings.POOL_MAX_SESSIONS, ready * settings.POOL_MAX_SESSIONS_PER_ACCOUNT);
}
