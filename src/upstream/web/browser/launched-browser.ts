import { type Browser, type CDPSession } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';
import { type BrowserBoundary } from './boundary/browser-boundary.js';

const CLOSE_LIMIT_MS = 2000;

/** Termination of a browser: a local one by its process, a remote one by its connection. */
export interface BrowserEnd {
  /** Requests a regular end; may hang on a frozen browser. */
  close(): Promise<void>;
  /** Kills it at once. */
  kill(): void;
  /** Resolves when no process and no profile is left. */
  readonly gone: Promise<void>;
  readonly isRemote: boolean;
  /** How much the browser has sent: messages of a local one, bytes of a remote one. */
  heard(): number;
  /** Why this process gave up the connection; undefined if it did not. */
  failure(): unknown;
}

/** A running browser, and the single source for whether it still runs. */
export class LaunchedBrowser {
  private readonly control = new AbortController();
  private users = 0;
  private pages = 0;
  private draining = false;
  private closing: Promise<void> | undefined;

  constructor(
    readonly browser: Browser,
    /** E.g. `Chrome/149.0.7827.22`. */
    readonly version: string,
    /** Session of the browser itself, which outlives all pages: pings, memory, and reports of windows. */
    readonly session: CDPSession,
    private readonly end: BrowserEnd,
    /** Monotonic ms. */
    readonly startedAt: number,
    /** Undefined for remote browsers, and for those that may reach everything. */
    readonly boundary?: BrowserBoundary,
  ) {
    browser.once('disconnected', () => {
      this.fail(
        new UnavailableError('browser_crashed', 'The browser ended unexpectedly.', { cause: end.failure() }),
      );
      // A crash of the main process leaves frozen child processes behind.
      this.end.kill();
    });
  }

  /** Aborted, with an UnavailableError as its reason, once the browser is gone. */
  get gone(): AbortSignal {
    return this.control.signal;
  }

  /** Resolves when no process and no profile is left. */
  get ended(): Promise<void> {
    return this.end.gone;
  }

  get isRemote(): boolean {
    return this.end.isRemote;
  }

  /** How much it has sent so far, in a measure of its own. */
  get heard(): number {
    return this.end.heard();
  }

  /**
   * Resolves when its main process and its network service have answered. The latter is a process of its own: while it
   * is frozen, no response reaches a page. A remote browser's is not asked, since its answer holds others' cookies.
   */
  async ping(): Promise<void> {
    await this.session.send('Browser.getVersion');
    if (!this.isRemote) {
      await this.session.send('Storage.getCookies');
    }
  }

  /** Whether it takes no new work. */
  get isDraining(): boolean {
    return this.draining || this.gone.aborted;
  }

  /** Number of pages opened in it by this gateway. */
  get pagesOpened(): number {
    return this.pages;
  }

  /** Counts a page that is opened in it. */
  countPage(): void {
    this.pages++;
  }

  /** Registers a user, which keeps a draining browser alive until it calls the returned function. */
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

  /** Whether anybody has anything open in it. */
  get isUsed(): boolean {
    return this.users > 0;
  }

  /** Takes no new work and closes with its last user. */
  drain(): void {
    this.draining = true;
    this.closeIfDrained();
  }

  /** Kills a browser that no longer answers; `reason` becomes that of `gone`. */
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
