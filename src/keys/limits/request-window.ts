const WINDOW_MS = 60_000;

/** Times of the latest requests of one key: in any 60 seconds, no more than `limit` are let in. */
export class RequestWindow {
  /** Ring of monotonic times, oldest at `oldest`. */
  private readonly times: Float64Array;
  private oldest = 0;
  private count = 0;

  constructor(readonly limit: number) {
    this.times = new Float64Array(limit);
  }

  /**
   * Counts a request, or refuses it.
   * @param now monotonic milliseconds
   * @returns milliseconds until one may be sent; 0 if this one is let in
   */
  enter(now: number): number {
    const waitMs = this.waitMs(now);
    if (waitMs === 0) {
      this.times[(this.oldest + this.count) % this.limit] = now;
      this.count += 1;
    }
    return waitMs;
  }

  /** Requests that would be let in now. */
  remaining(now: number): number {
    this.forget(now);
    return this.limit - this.count;
  }

  /** Milliseconds until a request would be let in; 0 if one would be now. */
  waitMs(now: number): number {
    this.forget(now);
    return this.count < this.limit ? 0 : (this.times[this.oldest] ?? now) + WINDOW_MS - now;
  }

  private forget(now: number): void {
    while (this.count > 0 && now - (this.times[this.oldest] ?? now) >= WINDOW_MS) {
      this.oldest = (this.oldest + 1) % this.limit;
      this.count -= 1;
    }
  }
}
