/**
 * Calls back no later than the earliest requested time; it may call early, so its owner checks what is due and requests
 * the next time. A timer is replaced only by an earlier one: the pool requests a time twice in each request, and a new
 * timer for each would cost 3 µs. Keeps no process alive.
 */
export class WakeTimer {
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;

  constructor(private readonly onWake: () => void) {}

  /** Times are monotonic milliseconds; `Infinity` requests nothing. */
  wakeAt(time: number, now: number): void {
    if (time >= this.wakesAt) {
      return;
    }
    clearTimeout(this.timer);
    this.wakesAt = time;
    this.timer = setTimeout(this.wake, Math.max(1, Math.ceil(time - now))).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private readonly wake = (): void => {
    this.wakesAt = Infinity;
    this.onWake();
  };
}
