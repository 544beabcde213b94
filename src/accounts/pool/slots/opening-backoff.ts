import { type UpstreamError } from '../../../upstream/upstream.errors.js';

/** First and longest wait before another session is opened after a failure; doubles in between. */
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;
/** The wait is longer by up to this share, so that accounts that failed together do not come back together. */
const JITTER_SHARE = 0.1;

/** Exponential back-off of the openings of one account. Times are monotonic milliseconds. */
export class OpeningBackoff {
  private failures = 0;
  private endsAt = 0;
  private lastError: UpstreamError | undefined;

  /** Error of the last opening; undefined if it succeeded. */
  get error(): UpstreamError | undefined {
    return this.lastError;
  }

  /** End of the back-off; undefined if a session may be opened now. */
  endAfter(now: number): number | undefined {
    return now < this.endsAt ? this.endsAt : undefined;
  }

  /**
   * Openings that fail while a back-off runs were under way when it began: they have its cause, and do not prolong it.
   * @param chance from 0 to 1, for the jitter
   */
  failed(error: UpstreamError, now: number, chance: number): void {
    this.lastError = error;
    if (now < this.endsAt) {
      return;
    }
    const waitMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** this.failures);
    this.failures += 1;
    this.endsAt = now + waitMs * (1 + JITTER_SHARE * chance);
  }

  clear(): void {
    this.failures = 0;
    this.endsAt = 0;
    this.lastError = undefined;
  }
}
