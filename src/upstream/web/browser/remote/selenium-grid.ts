import { UnavailableError } from '../../../upstream.errors.js';
import { withDeadline } from '../../timing/deadline.js';
import { GridSession } from './grid-session.js';

/** A node of a grid first starts the browser, and perhaps its container. */
const START_LIMIT_MS = 15_000;

/**
 * A Selenium Grid. A request for a session that takes too long stays in the grid's queue, and what it brings late is
 * used next: repeated requests would fill the queue, and their sessions belong to nobody.
 */
export class SeleniumGrid {
  private readonly control = new AbortController();
  private pending: Promise<GridSession> | undefined;

  /** @param args for the command line of each browser */
  constructor(
    private readonly url: URL,
    private readonly args: readonly string[],
    private readonly startLimitMs = START_LIMIT_MS,
  ) {}

  /** A session of the caller's own. To be called by one at a time. */
  async session(): Promise<GridSession> {
    const pending = (this.pending ??= GridSession.start(this.url, this.args, this.control.signal));
    pending.catch(() => (this.pending = undefined));
    const session = await withDeadline(
      pending,
      this.startLimitMs,
      () => new UnavailableError('launch_failed', 'The grid did not start a browser in time.'),
    );
    this.pending = undefined;
    return session;
  }

  /** Gives up a request that waits. Never throws. */
  async close(): Promise<void> {
    this.control.abort();
    const late = await this.pending?.catch(() => undefined);
    await late?.release();
  }
}
