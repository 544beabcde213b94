/** When pages, contexts and browsers are looked after and replaced. Times in milliseconds. */
export interface WebLimits {
  /** How often pages that wait for a prompt are looked at, and contexts that nobody uses. */
  readonly lookEveryMs: number;
  /** How long such a page may take to show that it is alive. */
  readonly lookLimitMs: number;
  /** Pages opened in one context before it is replaced. */
  readonly contextPages: number;
  /** Time without use after which a context is replaced. */
  readonly contextIdleMs: number;
  readonly browserAgeMs: number;
  /** Memory that a browser's processes may hold for themselves. */
  readonly browserBytes: number;
  /** Age below which a browser is not replaced for its memory: a new one with as many pages would be as large. */
  readonly browserGrowthMs: number;
  /** How often that is read. */
  readonly weighEveryMs: number;
}

export const WEB_LIMITS: WebLimits = {
  lookEveryMs: 10_000,
  // Nobody waits for the outcome, and a busy machine is slow.
  lookLimitMs: 10_000,
  contextPages: 200,
  contextIdleMs: 30 * 60_000,
  browserAgeMs: 6 * 3_600_000,
  browserBytes: 1.5 * 2 ** 30,
  browserGrowthMs: 10 * 60_000,
  weighEveryMs: 30_000,
};
