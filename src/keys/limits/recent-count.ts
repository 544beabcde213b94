const RECENT_MS = 10_000;

/** A count that is forgotten ten seconds after it last grew. */
export class RecentCount {
  private count = 0;
  private at = 0;

  /** @param now monotonic milliseconds */
  add(amount: number, now: number): void {
    this.count = this.valueAt(now) + amount;
    this.at = now;
  }

  valueAt(now: number): number {
    return now - this.at < RECENT_MS ? this.count : 0;
  }
}
