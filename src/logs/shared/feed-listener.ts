import { FOLLOW } from './feed.js';
import { type SharedConnection } from './shared-connection.js';

/** After the last read; followers read once a second. */
const IDLE_MS = 10_000;

/**
 * Hears of each batch that a node ships, on a connection that is open while somebody follows here. As long as it is, all
 * nodes ship sooner: see `FOLLOW`.
 */
export class FeedListener {
  private readonly connection: SharedConnection;
  private readonly idleMs: number;
  private isOpen = false;
  private idle: NodeJS.Timeout | undefined;
  /** Ends the present wait. */
  private wake: () => void = () => undefined;

  /** @param idleMs 10 s by default */
  constructor(connection: SharedConnection, idleMs = IDLE_MS) {
    this.connection = connection;
    this.idleMs = idleMs;
  }

  /** Opens the connection unless it is open. Without one, the limit of a wait is what brings news. */
  async open(): Promise<void> {
    this.idle?.refresh();
    if (this.isOpen) {
      return;
    }
    this.isOpen = true;
    const onEnd = (): void => {
      this.isOpen = false;
      clearTimeout(this.idle);
    };
    const listening = this.connection.listen(FOLLOW, () => this.wake(), onEnd);
    await listening.then((end) => (this.idle = setTimeout(end, this.idleMs)), onEnd);
  }

  /** Resolves at the next announcement, or after the limit. */
  announced(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    this.wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  /** Ends the present wait. */
  endWait(): void {
    this.wake();
  }
}
