/**
 * Time as an input, so that rules about time can be tested without waiting.
 * `now` is wall-clock milliseconds since 1970 (for people and the store);
 * `monotonic` is milliseconds from an arbitrary start and never jumps (for durations and deadlines).
 */
export abstract class Clock {
  abstract now(): number;
  abstract monotonic(): number;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }
}
