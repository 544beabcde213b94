import { type Settings } from '../../common/config/settings.js';
import { type PoolMinute } from './pool-history.js';

/** Share of the sessions from which on there is little room left. */
const NEARLY_FULL = 0.8;

/** What the advice is drawn from. */
interface PoolUse {
  readonly minutes: readonly PoolMinute[];
  /** Requests that were refused since every account cooled down; a cooldown may be over before a minute is. */
  readonly limited: number;
  /** Whether the gateway was started within the time: of sessions before, nothing is known. */
  readonly isSinceStart?: boolean;
  /** How long that request waited for sessions that did so the longest, if it is known. */
  readonly longestWaitMs?: number | undefined;
  /** Name of the gateway whose minutes these are, where there are several. */
  readonly gateway?: string | undefined;
}

/** Whether the pool is large enough, and if not what to add, in a few sentences. */
export function capacityAdvice(pool: PoolUse, settings: Pick<Settings, 'POOL_MAX_SESSIONS'>): string {
  const { limited, isSinceStart = false, gateway } = pool;
  const [use, ...remedies] = sessionAdvice(pool, settings);
  return [
    limited > 0 &&
      `${count(limited, 'request')} ${were(limited)} refused because every account cooled down: more accounts help.`,
    isSinceStart ? `Since the start, ${use[0]?.toLowerCase()}${use.slice(1)}` : use,
    ...remedies,
    gateway !== undefined && `The sessions are those of the gateway '${gateway}' alone.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function sessionAdvice(
  { minutes, limited, longestWaitMs }: PoolUse,
  { POOL_MAX_SESSIONS: max }: Pick<Settings, 'POOL_MAX_SESSIONS'>,
): [use: string, ...remedies: (string | false)[]] {
  const peak = highest(minutes, ({ waiting }) => waiting);
  const busiest = highest(minutes, ({ leases }) => leases);
  if (!peak || !busiest || busiest.leases + peak.waiting === 0) {
    return ['No session was in use whenever the pool was looked at, once a second.'];
  }
  if (peak.waiting === 0) {
    const { leases, capacity } = busiest;
    return [
      `At peak ${count(leases, 'session')} of ${capacity} ${were(leases)} in use and nobody waited.`,
      // Else sessions are not all that requests lack.
      limited === 0 &&
        (leases >= NEARLY_FULL * capacity
          ? 'There is little room left: one more account would give some.'
          : 'That is enough.'),
    ];
  }
  const waited = minutes.filter(({ waiting }) => waiting > 0).length;
  const longest = longestWaitMs === undefined ? '' : `, the longest for ${seconds(longestWaitMs)}`;
  return [
    `At peak ${count(peak.waiting, 'request')} waited for a session; in ${waited} of ${count(minutes.length, 'minute')} somebody did${longest}.`,
    remedyFor(peak, max),
  ];
}

function remedyFor({ capacity, leases }: PoolMinute, max: number): string {
  if (capacity === 0) {
    return 'No account was ready then: the page of the accounts says why.';
  }
  if (leases < capacity) {
    return `${capacity - leases} more could have been opened: raise POOL_MIN_SESSIONS, so that they are open before they are needed.`;
  }
  return capacity >= max
    ? `All ${capacity} were in use, as many as POOL_MAX_SESSIONS allows: raise it.`
    : `All ${capacity} were in use: add an account, or raise POOL_MAX_SESSIONS_PER_ACCOUNT if the site bears it.`;
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

function seconds(ms: number): string {
  if (ms < 100) {
    return 'less than 0.1 s';
  }
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function were(number: number): string {
  return number === 1 ? 'was' : 'were';
}
