/** How late a write comes at most, and how soon one that failed is tried again, in milliseconds. */
export const LATE_MS = 200;

/**
 * Writes to the store that must not fail whoever causes them: the upstream's doings go on though the disk is full.
 * What could not be written is tried again until it is; of writes under the same key only the last counts.
 */
export class LateWrites {
  private readonly waiting = new Map<string, () => void>();
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;

  /**
   * @param inTransaction runs work so that all of its writes happen or none
   * @param onFailure told when writing begins to fail
   */
  constructor(
    private readonly inTransaction: (work: () => void) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Writes in a moment, together with others. */
  later(key: string, write: () => void): void {
    this.waiting.set(key, write);
    this.timer ??= setTimeout(() => this.flush(), LATE_MS).unref();
  }

  /** Writes at once, or as soon as that is possible. */
  now(key: string, write: () => void): void {
    this.waiting.set(key, write);
    this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.size === 0) {
      return;
    }
    try {
      this.inTransaction(() => this.waiting.forEach((write) => write()));
      this.waiting.clear();
      this.hasFailed = false;
    } catch (error) {
      this.timer = setTimeout(() => this.flush(), LATE_MS).unref();
      if (!this.hasFailed) {
        this.hasFailed = true;
        this.onFailure(error);
      }
    }
  }

  /** Writes what waits, once more, and gives up on what cannot be written. */
  close(): void {
    this.flush();
    clearTimeout(this.timer);
  }
}
