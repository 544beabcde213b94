import { type DestinationStream } from 'pino';

/** Longest time that a line waits to be written with others, in milliseconds. */
const WAIT_MS = 100;
/** Most characters that wait: a pipe, whose reader may be late, holds 64 KiB. */
const MAX_PENDING = 2 ** 14;

/**
 * Batches log lines, since a write takes from 10 µs to as long as a small request. `flushSync` writes the pending lines
 * at once: pino calls it after a fatal line, the owner at the exit.
 */
export class LogDestination implements DestinationStream {
  private pending = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param output writes synchronously */
  constructor(private readonly output: DestinationStream) {}

  write(line: string): void {
    this.pending += line;
    if (this.pending.length >= MAX_PENDING) {
      this.flushSync();
    } else {
      this.timer ??= setTimeout(this.waited, WAIT_MS).unref();
    }
  }

  flushSync(): void {
    if (this.pending !== '') {
      const lines = this.pending;
      this.pending = '';
      this.output.write(lines);
    }
  }

  private readonly waited = (): void => {
    this.timer = undefined;
    this.flushSync();
  };
}
