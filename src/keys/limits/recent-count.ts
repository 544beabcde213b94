const RECENT_MS = 10_000;

/** A count that is forgotten ten seconds after it last grew. */
export class RecentCount {
  private count = 0;
  private at = 0;
  private since = 0;

  /** @param now monotonic milliseconds */
  add(amount: number, now: number): void {
    const before = this.valueAt(now);
    this.since = before === 0 ? now : this.since;
    this.count = before + amount;
    this.at = now;
  }

  valueAt(now: number): number {
    return now - this.at < RECENT_MS ? this.count : 0;
  }

  /** Milliseconds since it was nothing; 0 while it is. */
  ageAt(now: number): number {
    return this.valueAt(now) === 0 ? 0 : now - this.since;
  }
}
