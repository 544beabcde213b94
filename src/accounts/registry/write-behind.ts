/** Delay of an enqueued write, and the wait before a failed one is repeated, in milliseconds. */
export const WRITE_DELAY_MS = 200;

/**
 * Write-behind buffer before the store: writes that must not fail their cause, since answers go on while the disk is
 * full. Failed writes are repeated until they succeed; of several writes under one key only the last is kept.
 */
export class WriteBehind {
  private readonly pending = new Map<string, () => void>();
  private timer: NodeJS.Timeout | undefined;
  private isFailing = false;

  /**
   * @param inTransaction runs the work so that all of its writes happen or none
   * @param onFailure called when writing begins to fail, once until it succeeds again
   */
  constructor(
    private readonly inTransaction: (work: () => void) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Writes within 200 ms, in one transaction with the other pending writes. */
  enqueue(key: string, write: () => void): void {
    this.pending.set(key, write);
    this.timer ??= setTimeout(() => this.flush(), WRITE_DELAY_MS).unref();
  }

  /** Writes at once, together with the pending writes; repeated later if that fails. */
  writeNow(key: string, write: () => void): void {
    this.pending.set(key, write);
    this.flush();
  }

  /** Writes everything that is pending, once more, and gives up what cannot be written. */
  close(): void {
    this.flush();
    clearTimeout(this.timer);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.size === 0) {
      return;
    }
    try {
      this.inTransaction(() => this.pending.forEach((write) => write()));
      this.pending.clear();
      this.isFailing = false;
    } catch (error) {
      this.timer = setTimeout(() => this.flush(), WRITE_DELAY_MS).unref();
      if (!this.isFailing) {
        this.isFailing = true;
        this.onFailure(error);
      }
    }
  }
}
