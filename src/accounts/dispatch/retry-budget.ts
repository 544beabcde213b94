/** Retries that each request pays for. */
const SHARE = 0.2;
/** Retries that are there at the start, so that a quiet gateway can retry at all. */
const INITIAL = 10;
/** Most retries saved up, which bounds a burst. */
const LIMIT = 50;

/**
 * Keeps retries from multiplying the load on an upstream that is failing already:
 * over all requests there are at most 0.2 retries for each, and 10.
 */
export class RetryBudget {
  private balance = INITIAL;

  /** Takes note of a new request. */
  deposit(): void {
    this.balance = Math.min(LIMIT, this.balance + SHARE);
  }

  /** Whether a retry may be made; it is paid for if so. */
  tryWithdraw(): boolean {
    if (this.balance < 1) {
      return false;
    }
    this.balance -= 1;
    return true;
  }
}
