import { type DestinationStream } from 'pino';

/** How long a line may wait for others, in milliseconds. */
const WAIT_MS = 20;

/**
 * Puts log lines that come close together out in one write, since a write takes 10 µs, 5 % of what a small request
 * costs. `flushSync` writes what is pending now: pino calls it after a fatal line, the owner at the exit.
 */
export class LogDestination implements DestinationStream {
  private pending = '';

  /** @param output must have written when it returns */
  constructor(private readonly output: DestinationStream) {}

  write(line: string): void {
    if (this.pending === '') {
      setTimeout(() => this.flushSync(), WAIT_MS).unref();
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
