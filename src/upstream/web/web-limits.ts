import { HOUR_MS, MINUTE_MS } from '../../common/time/durations.js';

/** Limits by which pages, contexts and browsers are checked and replaced. Times in milliseconds. */
export interface WebLimits {
  /** Interval between checks of warm pages and of idle contexts. */
  readonly lookEveryMs: number;
  /** Time in which a warm page must answer such a check. */
  readonly lookLimitMs: number;
  /** Wait for the site to begin to answer the request for a page; twice as long at the second try. */
  readonly headMs: number;
  /** Number of pages opened in one context before it is replaced. */
  readonly contextPages: number;
  /** Time without use after which a context is replaced. */
  readonly contextIdleMs: number;
  /** Age at which a browser is replaced. */
  readonly browserAgeMs: number;
  /** Number of pages opened in a remote browser, whose memory nobody tells, before it is replaced. */
  readonly browserPages: number;
  /** Private memory of a local browser's processes, in bytes, above which it is replaced. */
  readonly browserBytes: number;
  /** Age below which a browser is not replaced for its memory: a new one with as many pages would be as large. */
  readonly browserGrowthMs: number;
  /** Interval between readings of that memory. */
  readonly weighEveryMs: number;
}

export const WEB_LIMITS: WebLimits = {
  lookEveryMs: 10_000,
  // Generous: no request waits for the outcome, and a busy machine is slow.
  lookLimitMs: 10_000,
  // Both tries must end before a request has waited for POOL_ACQUIRE_TIMEOUT_MS, whatever the recipe allows.
  headMs: 8000,
  contextPages: 200,
  contextIdleMs: 30 * MINUTE_MS,
  browserAgeMs: 6 * HOUR_MS,
  browserPages: 2000,
  browserBytes: 1.5 * 2 ** 30,
  browserGrowthMs: 10 * MINUTE_MS,
  weighEveryMs: 30_000,
};
