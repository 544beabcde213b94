const WINDOW_MS = 60_000;

/** Times of the latest requests of one key: in any 60 seconds, no more than `limit` are let in. */
export class RequestWindow {
  /** Ring of monotonic times, oldest at `oldest`. */
  private times: Float64Array;
  private max: number;
  private oldest = 0;
  private count = 0;

  constructor(limit: number) {
    this.max = limit;
    this.times = new Float64Array(limit);
  }

  get limit(): number {
    return this.max;
  }

  /** Changes the limit; requests that were let in still count. @param now monotonic milliseconds */
  resize(limit: number, now: number): void {
    this.forget(now);
    const { times, oldest, count } = this;
    this.max = limit;
    this.times = new Float64Array(Math.max(limit, count));
    this.oldest = 0;
    for (let at = 0; at < count; at += 1) {
      this.times[at] = times[(oldest + at) % times.length] ?? 0;
    }
  }

  /** Requests of the last 60 seconds. @param now monotonic milliseconds */
  used(now: number): number {
    this.forget(now);
    return this.count;
  }

  /**
   * Counts a request, or refuses it.
   * @param now monotonic milliseconds
   * @returns milliseconds until one may be sent; 0 if this one is let in
   */
  enter(now: number): number {
    const waitMs = this.waitMs(now);
    if (waitMs === 0) {
      this.times[(this.oldest + this.count) % this.times.length] = now;
      this.count += 1;
    }
    return waitMs;
  }

  /** Requests that would be let in now. */
  remaining(now: number): number {
    this.forget(now);
    return Math.max(0, this.limit - this.count);
  }

  /** Milliseconds until a request would be let in; 0 if one would be now. */
  waitMs(now: number): number {
    this.forget(now);
    if (this.count < this.limit) {
      return 0;
    }
    // Of a limit that was lowered, several must have passed.
    const last = (this.oldest + this.count - Math.max(1, this.limit)) % this.times.length;
    return (this.times[last] ?? now) + WINDOW_MS - now;
  }

  private forget(now: number): void {
    while (this.count > 0 && now - (this.times[this.oldest] ?? now) >= WINDOW_MS) {
      this.oldest = (this.oldest + 1) % this.times.length;
      this.count -= 1;
    }
  }
}
