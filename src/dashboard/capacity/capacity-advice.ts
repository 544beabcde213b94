import { type Settings } from '../../common/config/settings.js';
import { type PoolMinute } from './pool-history.js';

/** Share of the sessions from which on there is little room left. */
const NEARLY_FULL = 0.8;

/** Whether the pool is large enough, and if not what to add, in one or two sentences. */
export function capacityAdvice(
  minutes: readonly PoolMinute[],
  { POOL_MAX_SESSIONS: max }: Pick<Settings, 'POOL_MAX_SESSIONS'>,
): string {
  const peak = highest(minutes, ({ waiting }) => waiting);
  const busiest = highest(minutes, ({ leases }) => leases);
  if (!peak || !busiest || busiest.leases + peak.waiting === 0) {
    return 'No session was in use whenever the pool was looked at, once a second.';
  }
  const use = `At peak ${count(busiest.leases, 'session')} of ${busiest.capacity} ${busiest.leases === 1 ? 'was' : 'were'} in use`;
  if (peak.waiting === 0) {
    return busiest.leases >= NEARLY_FULL * busiest.capacity
      ? `${use} and nobody waited. There is little room left: one more account would give some.`
      : `${use} and nobody waited. That is enough.`;
  }
  const waited = minutes.filter(({ waiting }) => waiting > 0).length;
  const queue = `At peak ${count(peak.waiting, 'request')} waited for a session; in ${waited} of ${count(minutes.length, 'minute')} somebody did.`;
  if (peak.capacity === 0) {
    return `${queue} No account was ready then: the page of the accounts says why.`;
  }
  if (peak.leases < peak.capacity) {
    return `${queue} ${peak.capacity - peak.leases} more could have been opened: raise POOL_MIN_SESSIONS, so that they are open before they are needed.`;
  }
  return peak.capacity >= max
    ? `${queue} All ${peak.capacity} were in use, as many as POOL_MAX_SESSIONS allows: raise it.`
    : `${queue} All ${peak.capacity} were in use: add an account, or raise POOL_MAX_SESSIONS_PER_ACCOUNT if the site bears it.`;
}

function highest(
  minutes: readonly PoolMinute[],
  value: (minute: PoolMinute) => number,
): PoolMinute | undefined {
  return minutes.reduce<PoolMinute | undefined>(
    (best, minute) => (!best || value(minute) > value(best) ? minute : best),
    undefined,
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
