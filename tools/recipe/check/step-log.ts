import { type Clock } from '../../../src/common/time/clock.js';

/** Prints one line per step: its outcome, name and duration. */
export class StepLog {
  private startedAt: number;

  constructor(
    private readonly print: (line: string) => void,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.monotonic();
  }

  /** Milliseconds since the last `begin`. */
  get elapsedMs(): number {
    return Math.round(this.clock.monotonic() - this.startedAt);
  }

  /** Starts the time of the next step. */
  begin(): void {
    this.startedAt = this.clock.monotonic();
  }

  done(what: string): void {
    this.print(`✓ ${what} (${this.elapsedMs} ms)`);
    this.begin();
  }

  failed(what: string): void {
    this.print(`✗ ${what} (${this.elapsedMs} ms)`);
  }

  /** A success without a duration. */
  fits(what: string): void {
    this.print(`✓ ${what}`);
  }

  /** A remark that is neither success nor failure. */
  note(what: string): void {
    this.print(`· ${what}`);
  }

  detail(what: string): void {
    this.print(`  ${what}`);
  }
}
