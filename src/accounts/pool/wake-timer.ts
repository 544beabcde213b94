/**
 * Calls back at the earliest of the times it was given, at least. Its owner looks what is to be done then and sets the
 * next time, so looking too early does no harm: a timer is replaced only by an earlier one. (The pool sets a time
 * twice in each request; a new timer for each would cost 3 µs.) Keeps no process alive.
 */
export class WakeTimer {
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;

  constructor(private readonly onWake: () => void) {}

  /** Times are monotonic milliseconds; `Infinity` sets nothing. */
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
