import { type Outage } from '../../common/logging/outage.js';

/** Wait before a failed write is repeated, in milliseconds. */
export const RETRY_MS = 200;

/**
 * Write-behind buffer before the store: changes that must not fail their cause, since answers go on while the disk is
 * full or the database gone. Failed changes are repeated until they succeed; of several under one key only the last is kept.
 */
export class WriteBehind<Change> {
  /** Each makes its change when it is written; undefined if there is nothing to change any more. */
  private readonly pending = new Map<string, () => Change | undefined>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  /**
   * @param write carries out all of the changes or none
   * @param outage hears of each try
   * @param delayMs of an enqueued change
   */
  constructor(
    private readonly write: (changes: readonly Change[]) => Promise<void>,
    private readonly outage: Pick<Outage, 'failed' | 'succeeded'>,
    private readonly delayMs: number,
  ) {}

  /** Writes after the delay, together with the other pending changes. */
  enqueue(key: string, change: () => Change | undefined): void {
    this.pending.set(key, change);
    this.timer ??= setTimeout(() => this.flush(), this.delayMs).unref();
  }

  /** Writes at once, or after the write under way, together with the pending changes; repeated later if that fails. */
  writeNow(key: string, change: () => Change | undefined): void {
    this.pending.set(key, change);
    this.flush();
  }

  /** Whether a change is not known to be in the store. */
  has(key: string): boolean {
    return this.pending.has(key);
  }

  /** Waits for a change to be written, unless writing fails at present. */
  async settled(key: string): Promise<void> {
    while (this.writing && this.pending.has(key)) {
      await this.writing;
    }
  }

  /** Writes everything that is pending, once more, and gives up what cannot be written. */
  async close(): Promise<void> {
    await this.writing;
    this.flush();
    // What one write has left over follows it.
    while (this.writing) {
      await this.writing;
    }
    clearTimeout(this.timer);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.writing) {
      // Its end goes on with what is pending then.
      return;
    }
    const taken = [...this.pending];
    const changes = taken.map(([, change]) => change()).filter((change) => change !== undefined);
    if (taken.length === 0) {
      return;
    }
    this.writing = this.write(changes).then(
      () => this.written(taken),
      (error: unknown) => this.failed(error),
    );
  }

  private written(taken: readonly (readonly [string, unknown])[]): void {
    this.writing = undefined;
    this.outage.succeeded();
    for (const [key, change] of taken) {
      // A newer change under this key came in while it was being written.
      if (this.pending.get(key) === change) {
        this.pending.delete(key);
      }
    }
    if (this.pending.size > 0 && this.timer === undefined) {
      this.flush();
    }
  }

  private failed(error: unknown): void {
    this.writing = undefined;
    this.timer ??= setTimeout(() => this.flush(), RETRY_MS).unref();
    this.outage.failed(error);
  }
}
