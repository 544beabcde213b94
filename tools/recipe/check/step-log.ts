import { type Clock } from '../../../src/common/time/clock.js';

/** Prints one line per step: its outcome, name and duration. */
export class StepLog {
  private startedAt: number;
  private heldBack: string[] | undefined;

  constructor(
    private readonly out: (line: string) => void,
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
    this.heldBack?.forEach((line) => this.out(line));
    this.heldBack = undefined;
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

  /** Keeps lines back until something fails. */
  holdBack(): void {
    this.heldBack = [];
  }

  /** Drops the lines that were kept back, and prints those that follow. */
  dropHeld(): void {
    this.heldBack = undefined;
  }

  private print(line: string): void {
    if (this.heldBack) {
      this.heldBack.push(line);
    } else {
      this.out(line);
    }
  }
}
