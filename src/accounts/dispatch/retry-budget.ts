/** Retries earned by each request. */
const SHARE = 0.2;
/** Retries at the start, so that a quiet gateway can retry at all. */
const INITIAL = 10;
/** Upper bound of saved retries, which bounds a burst. */
const LIMIT = 50;

/**
 * Keeps retries from multiplying the load on a failing upstream: over all requests there are at most 0.2 retries for
 * each request, and 10 more.
 */
export class RetryBudget {
  private balance = INITIAL;

  /** Earns a share of a retry; once for each request. */
  deposit(): void {
    this.balance = Math.min(LIMIT, this.balance + SHARE);
  }

  /** Pays for one retry; false if the balance does not allow it. */
  tryWithdraw(): boolean {
    if (this.balance < 1) {
      return false;
    }
    this.balance -= 1;
    return true;
  }
}
