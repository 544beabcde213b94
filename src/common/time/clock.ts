/** Both clocks at one moment, in milliseconds. */
export interface ClockReading {
  readonly monotonic: number;
  readonly wall: number;
}

/** Time as an input, so that rules about time can be tested without waiting. */
export abstract class Clock {
  /** Wall-clock milliseconds since 1970, for people and the store. */
  abstract now(): number;
  /** Milliseconds from an arbitrary start, which never jump; for durations and deadlines. */
  abstract monotonic(): number;

  /** Seconds since 1970, as formats of answers have them. */
  unixSeconds(): number {
    return Math.floor(this.now() / 1000);
  }

  reading(): ClockReading {
    return { monotonic: this.monotonic(), wall: this.now() };
  }
}

/** The clock of the process. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }
}
