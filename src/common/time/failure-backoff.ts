/** Wait after the first failure; doubles with each further one. */
const MIN_WAIT_MS = 1000;
/** The wait is longer by up to this share, so that those that failed together do not come back together. */
const JITTER_SHARE = 0.1;

/** Exponential back-off after failures in a row. Times are monotonic milliseconds. */
export class FailureBackoff {
  private failures = 0;
  private endsAt = 0;

  /** @param longestMs longest wait, without the jitter */
  constructor(private readonly longestMs: number) {}

  /** End of the back-off; undefined if none runs. */
  endAfter(now: number): number | undefined {
    return now < this.endsAt ? this.endsAt : undefined;
  }

  /**
   * What fails while a back-off runs was under way when it began: it has its cause, and does not prolong it.
   * @param chance from 0 to 1, for the jitter
   */
  failed(now: number, chance: number): void {
    if (now < this.endsAt) {
      return;
    }
    const waitMs = Math.min(this.longestMs, MIN_WAIT_MS * 2 ** this.failures);
    this.failures += 1;
    this.endsAt = now + waitMs * (1 + JITTER_SHARE * chance);
  }

  clear(): void {
    this.failures = 0;
    this.endsAt = 0;
  }
}
