/** Retries earned by each request. */
const SHARE = 0.2;
/** Retries at the start, of all gateways together, so that a quiet one can retry at all. */
const INITIAL = 10;
/** Upper bound of saved retries, which bounds a burst. */
const LIMIT = 50;

/**
 * Keeps retries from multiplying the load on a failing upstream: over all requests there are at most 0.2 retries for
 * each request, and 10 more. Each of several gateways keeps its own, and has its part of the 10.
 */
export class RetryBudget {
  private balance: number | undefined;

  /** @param nodes number of gateways; asked once, at the first request */
  constructor(private readonly nodes: () => number) {}

  /** Earns a share of a retry; once for each request. */
  deposit(): void {
    this.balance = Math.min(LIMIT, this.present + SHARE);
  }

  /** Pays for one retry; false if the balance does not allow it. */
  tryWithdraw(): boolean {
    if (this.present < 1) {
      return false;
    }
    this.balance = this.present - 1;
    return true;
  }

  private get present(): number {
    return (this.balance ??= INITIAL / this.nodes());
  }
}
