import { type Browser, type CDPSession } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';

const CLOSE_LIMIT_MS = 2000;

/** How a browser is ended: an own one by its process, a remote one by its connection. */
export interface BrowserEnd {
  /** Asks it to end; may hang on a frozen browser. */
  close(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
  readonly isRemote: boolean;
  /** How many messages the browser has sent; undefined where that cannot be known. */
  messageCount(): number | undefined;
}

/** A running browser, and the one place that knows whether it still runs. */
export class LaunchedBrowser {
  private readonly control = new AbortController();
  private users = 0;
  private draining = false;
  private closing: Promise<void> | undefined;

  constructor(
    readonly browser: Browser,
    /** For pings and the like; outlives all pages. */
    readonly session: CDPSession,
    private readonly end: BrowserEnd,
    /** Monotonic ms. */
    readonly startedAt: number,
  ) {
    browser.once('disconnected', () => {
      this.fail(new UnavailableError('browser_crashed', 'The browser ended unexpectedly.'));
      // A crash of its first process leaves those behind that are frozen.
      this.end.kill();
    });
  }

  /** Aborted, with an UnavailableError as its reason, once the browser is gone. */
  get gone(): AbortSignal {
    return this.control.signal;
  }

  /** Resolves when nothing of it is left: no process, no profile. */
  get ended(): Promise<void> {
    return this.end.gone;
  }

  get isRemote(): boolean {
    return this.end.isRemote;
  }

  /** How many messages it has sent so far; undefined where that cannot be known. */
  get messageCount(): number | undefined {
    return this.end.messageCount();
  }

  /**
   * Resolves when its first process and its network service have answered. The latter is a process of its own: while it
   * is frozen, nothing that pages ask for arrives. A remote browser's is not asked, since that shows others' cookies.
   */
  async ping(): Promise<void> {
    await this.session.send('Browser.getVersion');
    if (!this.isRemote) {
      await this.session.send('Storage.getCookies');
    }
  }

  /** True once it takes no new work. */
  get isDraining(): boolean {
    return this.draining || this.gone.aborted;
  }

  /** A user keeps a draining browser alive until it calls the returned function. */
  use(): () => void {
    this.users++;
    let isUsed = true;
    return () => {
      if (isUsed) {
        isUsed = false;
        this.users--;
        this.closeIfDrained();
      }
    };
  }

  /** No new work; closes when the last user is done. */
  drain(): void {
    this.draining = true;
    this.closeIfDrained();
  }

  /** Ends a browser that no longer answers, for this reason. */
  kill(reason: UnavailableError): void {
    this.fail(reason);
    this.end.kill();
  }

  /** Asks the browser to end, and ends it after 2 s if it does not. Never throws. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.draining = true;
    this.fail(new UnavailableError('browser_closed', 'The browser was closed.'));
    const timer = setTimeout(() => this.end.kill(), CLOSE_LIMIT_MS);
    void this.end.close().catch(() => undefined);
    await this.end.gone;
    clearTimeout(timer);
  }

  private closeIfDrained(): void {
    if (this.draining && this.users === 0) {
      void this.close();
    }
  }

  private fail(reason: UnavailableError): void {
    if (!this.gone.aborted) {
      this.control.abort(reason);
    }
  }
}
