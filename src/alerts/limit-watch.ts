import { type RequestLogEntry } from '../logs/records/request-log-entry.js';

/** Whether requests meet nothing but the limits of the accounts, as where a quota is used up. */
export class LimitWatch {
  /** Whether an account has begun to answer a request since the start. */
  hasServed = false;
  private firstAt: number | undefined;
  private lastAt = 0;

  /**
   * Counts a request that has ended. An answer that began shows an account within its limits, however it ended; one that
   * the gateway gave itself says nothing of them.
   */
  count(
    { outcome, error, firstAnswerMs }: Pick<RequestLogEntry, 'outcome' | 'error' | 'firstAnswerMs'>,
    now: number,
  ): void {
    if (firstAnswerMs !== undefined) {
      this.hasServed = true;
      this.firstAt = undefined;
    } else if (outcome === 'rate_limited' && error?.reason === 'rate_limited') {
      this.firstAt ??= now;
      this.lastAt = now;
    }
  }

  /** Time from the first to the last refusal since an answer began: no longer than there were requests. */
  get limitedForMs(): number {
    return this.firstAt === undefined ? 0 : this.lastAt - this.firstAt;
  }
}
