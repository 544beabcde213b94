import { type Settings } from '../../common/config/settings.js';
import { type Clock } from '../../common/time/clock.js';
import { type Random } from '../../common/time/random.js';
import { type SessionPool } from '../pool/session-pool.js';
import { type AccountHealth } from '../registry/account-health.js';
import { type UpstreamBreaker } from './failures/upstream-breaker.js';
import { type RetryBudget } from './retry-budget.js';

/** Services and shared state of all dispatches. */
export interface DispatchDependencies {
  readonly pool: SessionPool;
  readonly health: AccountHealth;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: RetryBudget;
  readonly breaker: UpstreamBreaker;
}
