import { type Settings } from '../../common/config/settings.js';

/** Limits of the pool, from the settings named POOL_…; milliseconds and numbers of sessions. */
export interface PoolLimits {
  readonly minSessions: number;
  readonly maxSessions: number;
  readonly maxPerAccount: number;
  /** Requests that may wait. */
  readonly queueLimit: number;
  readonly idleMs: number;
  readonly acquireTimeoutMs: number;
}

/** The limits at present: the operator may change them at any time. */
export function poolLimits(settings: Settings): PoolLimits {
  return {
    minSessions: settings.POOL_MIN_SESSIONS,
    maxSessions: settings.POOL_MAX_SESSIONS,
    maxPerAccount: settings.POOL_MAX_SESSIONS_PER_ACCOUNT,
    queueLimit: settings.POOL_QUEUE_LIMIT,
    idleMs: settings.POOL_IDLE_MS,
    acquireTimeoutMs: settings.POOL_ACQUIRE_TIMEOUT_MS,
  };
}
