import { type FlowGate } from './flow-gate.js';

/** Checks within one limit; the watchdog fires at most one of these parts late. */
const PARTS = 8;

/**
 * Reports an upstream that has been silent for too long. Time in which the caller does not keep up is not counted.
 * Counts ticks of one timer, so that a sign of life costs no more than an assignment, and a stall of this process, after
 * which timers run before the messages that have come meanwhile, counts as one tick.
 */
export class SilenceWatchdog {
  private timer: NodeJS.Timeout | undefined;
  private silentParts = 0;

  constructor(
    private readonly flow: FlowGate,
    private readonly onSilence: () => void,
  ) {}

  /** Starts, or restarts, with a limit in milliseconds. */
  start(limitMs: number): void {
    this.stop();
    // The first tick is a whole part away, unlike after a sign of life.
    this.silentParts = 1;
    this.timer = setInterval(() => this.check(), Math.max(1, limitMs / PARTS)).unref();
  }

  /** A sign of life. */
  touch(): void {
    this.silentParts = 0;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private check(): void {
    this.silentParts = this.flow.isOpen ? this.silentParts + 1 : 0;
    if (this.silentParts > PARTS) {
      this.stop();
      this.onSilence();
    }
  }
}
