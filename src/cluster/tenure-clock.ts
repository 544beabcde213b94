import { type ClockReading } from '../common/time/clock.js';

const DONE = Promise.resolve();

/** Half of the margin holds a drift of 5 % between the clocks of two machines, the other half a short suspension. */
const MIN_MARGIN_MS = 400;
const MARGIN_SHARE = 0.1;

/**
 * Judges by the clocks of this process how long a tenure may be used. The engine counts a lease from the moment at which
 * it carries a beat out; the holder counts from the earlier moment at which it sent the beat, less a margin, and so stops
 * before the engine lets anybody else in. No clock is compared with another machine's.
 *
 * A monotonic clock may stand still while a virtual machine is suspended, and the wall clock then jumps. Where the two have
 * come apart by more than half the margin since the last beat, nothing is valid until the next one.
 */
export class TenureClock {
  /** Time for which the holder uses what a beat has granted, counted from its sending. */
  private readonly usableMs: number;
  private readonly suspensionMs: number;
  private offset: number | undefined;

  /** @param nodeLeaseMs time for which the engine keeps an account for its holder */
  constructor(nodeLeaseMs: number) {
    const marginMs = Math.max(MIN_MARGIN_MS, nodeLeaseMs * MARGIN_SHARE);
    this.usableMs = nodeLeaseMs - marginMs;
    this.suspensionMs = marginMs / 2;
  }

  /** A beat was answered. */
  beatAnswered(sent: ClockReading): void {
    this.offset = sent.wall - sent.monotonic;
  }

  /** End of what a beat has granted or renewed, in monotonic milliseconds. */
  endOf(sent: ClockReading): number {
    return sent.monotonic + this.usableMs;
  }

  /** @param endsAt of `endOf` */
  isValid(endsAt: number, now: ClockReading): boolean {
    return (
      now.monotonic < endsAt &&
      this.offset !== undefined &&
      Math.abs(now.wall - now.monotonic - this.offset) <= this.suspensionMs
    );
  }
}

/**
 * One reading of the clocks for all questions of a turn of the event loop: a request asks some twenty of them for each
 * account, and each reading takes a fifth of a microsecond.
 */
export class TurnReading {
  private latest: ClockReading | undefined;
  private readonly forget = (): void => {
    this.latest = undefined;
  };

  constructor(private readonly read: () => ClockReading) {}

  /** The reading of this turn, which ends with what was to be done after the present work at the first question. */
  readonly now = (): ClockReading => {
    if (this.latest === undefined) {
      this.latest = this.read();
      void DONE.then(this.forget);
    }
    return this.latest;
  };
}
