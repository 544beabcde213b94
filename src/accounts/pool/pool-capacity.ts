import { type Settings } from '../../common/config/settings.js';
import { type Account } from '../registry/account.js';

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
