import puppeteer, { type Browser, type ConnectOptions } from 'puppeteer';
import { type Clock } from '../../../common/time/clock.js';
import { UnavailableError } from '../../upstream.errors.js';
import { withDeadline } from '../timing/deadline.js';
import { type BrowserBoundary } from './boundary/browser-boundary.js';
import { type BrowserEnd, LaunchedBrowser } from './launched-browser.js';

const DEFAULT_TIMEOUT_MS = 5000;
const ACCEPT_TIMEOUT_MS = 30_000;
/**
 * Time limit of each message to a browser: the longest that a recipe may set, since a page that is busy with a long
 * prompt takes a click no sooner. What must end earlier has a limit of its own.
 */
const MESSAGE_TIMEOUT_MS = 600_000;
/** First major version of Chrome that can restrict pages to a list of URLs, which remote browsers need. */
const OLDEST_CHROME = 149;

/** Takes control of browsers that run. */
export class BrowserConnector {
  constructor(
    private readonly clock: Clock,
    /** Time limit of a connection in ms. */
    readonly timeoutMs = DEFAULT_TIMEOUT_MS,
  ) {}

  /**
   * Rejects with UnavailableError if it takes too long, or ends before.
   * @param exited resolves if the browser ends
   */
  async connect(target: ConnectOptions, exited?: Promise<void>): Promise<Browser> {
    const connecting = puppeteer.connect({
      ...target,
      defaultViewport: { width: 1280, height: 800 },
      protocolTimeout: MESSAGE_TIMEOUT_MS,
    });
    const early = exited?.then(() => {
      throw new UnavailableError('launch_failed', 'The browser ended while it started.');
    });
    return withDeadline(
      early ? Promise.race([connecting, early]) : connecting,
      this.timeoutMs,
      () => new UnavailableError('launch_failed', 'The browser did not start in time.'),
    );
  }

  /** Rejects with UnavailableError if the browser is too old, or does not answer. */
  accept(browser: Browser, end: BrowserEnd, boundary?: BrowserBoundary): Promise<LaunchedBrowser> {
    return withDeadline(
      this.examine(browser, end, boundary),
      ACCEPT_TIMEOUT_MS,
      () => new UnavailableError('launch_failed', 'The browser does not answer.'),
    );
  }

  private async examine(
    browser: Browser,
    end: BrowserEnd,
    boundary?: BrowserBoundary,
  ): Promise<LaunchedBrowser> {
    const version = await browser.version();
    const major = Number(/\/(\d+)\./.exec(version)?.[1] ?? 0);
    if (major < OLDEST_CHROME) {
      throw new UnavailableError(
        'browser_too_old',
        `Chrome ${OLDEST_CHROME} or later is needed, this is ${version}.`,
      );
    }
    const session = await browser.target().createCDPSession();
    // Reports every window with its opener.
    await session.send('Target.setDiscoverTargets', { discover: true });
    return new LaunchedBrowser(browser, version, session, end, this.clock.monotonic(), boundary);
  }
}
