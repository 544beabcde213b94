import { type FlowGate } from '../../upstream/flow-gate.js';

/** The watchdog looks this often within its limit, so it bites at most one part late. */
const PARTS = 8;

/**
 * Reports an upstream that has been silent for too long. Time in which the caller does not keep up does not count.
 * It counts ticks of one timer, so that a sign of life costs no more than an assignment.
 */
export class SilenceWatchdog {
  private timer: NodeJS.Timeout | undefined;
  private silentParts = 0;

  constructor(
    private readonly flow: FlowGate,
    private readonly onSilence: () => void,
  ) {}

  /** Starts anew with a limit in milliseconds. */
  start(limitMs: number): void {
    this.stop();
    // The first part ends a whole part from now, unlike after a sign of life.
    this.silentParts = 1;
    this.timer = setInterval(() => this.look(), Math.max(1, limitMs / PARTS)).unref();
  }

  /** A sign of life. */
  touch(): void {
    this.silentParts = 0;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    this.silentParts = this.flow.isOpen ? this.silentParts + 1 : 0;
    if (this.silentParts > PARTS) {
      this.stop();
      this.onSilence();
    }
  }
}
