import { type DestinationStream } from 'pino';

/**
 * Puts the log lines of one turn of the event loop out in one write, since a write takes 10 µs, 5 % of what a small
 * request costs. `flushSync` writes what is pending now: pino calls it after a fatal line, the owner at the exit.
 */
export class LogDestination implements DestinationStream {
  private pending = '';

  /** @param output must have written when it returns */
  constructor(private readonly output: DestinationStream) {}

  write(line: string): void {
    if (this.pending === '') {
      setImmediate(() => this.flushSync());
    }
    this.pending += line;
  }

  flushSync(): void {
    if (this.pending !== '') {
      const lines = this.pending;
      this.pending = '';
      this.output.write(lines);
    }
  }
}
