import { type Clock } from '../../../src/common/time/clock.js';

/** Prints one line a step: whether it went well, what it was, how long it took. */
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

  /** The time of the next step counts from here. */
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

  /** Something that fits, and took no time of its own. */
  fits(what: string): void {
    this.print(`✓ ${what}`);
  }

  /** Something to know that is neither good nor bad. */
  note(what: string): void {
    this.print(`· ${what}`);
  }

  detail(what: string): void {
    this.print(`  ${what}`);
  }
}
