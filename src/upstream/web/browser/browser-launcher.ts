import puppeteer, { type Browser, type ConnectOptions } from 'puppeteer';
import { type Clock } from '../../../common/time/clock.js';
import { RateLimitedError, UnavailableError } from '../../upstream.errors.js';
import { withDeadline } from '../timing/deadline.js';
import { BrowserBoundary } from './boundary/browser-boundary.js';
import { type BrowserOptions } from './browser-options.js';
import { BrowserProcess } from './browser-process.js';
import { type BrowserEnd, LaunchedBrowser } from './launched-browser.js';
import { ProfileFolders } from './profile-folder.js';
import { browserUser, findClosedFolder, isExecutable, type UserIds } from './unprivileged-user.js';

const DEFAULT_LAUNCH_TIMEOUT_MS = 5000;
/** First major version of Chrome that can restrict pages to a list of URLs, which remote browsers need. */
const OLDEST_CHROME = 149;
const GRID_FULL_RETRY_MS = 5000;

/** Starts browsers, or connects to remote ones. */
export class BrowserLauncher {
  private readonly profiles: ProfileFolders;
  /** Ids of the gateway's contexts that a broken connection left open in a remote browser. */
  private readonly abandoned = new Set<string | undefined>();

  constructor(
    private readonly options: BrowserOptions,
    private readonly clock: Clock,
  ) {
    this.profiles = new ProfileFolders(options.profilesFolder);
  }

  /** Rejects with UnavailableError, or with RateLimitedError if a remote grid is full. */
  async launch(): Promise<LaunchedBrowser> {
    return this.options.wsEndpoint ? this.connectRemote(this.options.wsEndpoint) : this.launchLocal();
  }

  /** Removes the folder of the profiles; to be called after the last browser has ended. */
  close(): Promise<void> {
    return this.profiles.close();
  }

  private async launchLocal(): Promise<LaunchedBrowser> {
    const boundary = await this.openBoundary();
    try {
      return await this.launchWithin(boundary);
    } catch (error) {
      boundary?.close();
      throw error;
    }
  }

  private async launchWithin(boundary: BrowserBoundary | undefined): Promise<LaunchedBrowser> {
    const user = browserUser(this.options.noSandbox);
    const executablePath = await this.checkedExecutable(user);
    const profile = await this.profiles.create(user);
    const process = BrowserProcess.start(
      executablePath,
      await this.args(executablePath, profile, boundary?.args),
      profile,
      user,
      this.options.display,
    );
    void process.exited.then(() => boundary?.close());
    const gone = process.exited.then(() => this.profiles.remove(profile)).catch(() => undefined);
    try {
      const browser = await this.connected({ transport: process.transport }, process.exited);
      const end: BrowserEnd = {
        close: () => browser.close(),
        kill: () => process.kill(),
        gone,
        isRemote: false,
        messageCount: () => process.transport.messageCount,
      };
      return await this.launched(browser, end, boundary);
    } catch (error) {
      process.kill();
      await gone;
      throw launchFailure(error, process.lastOutput);
    }
  }

  private async connectRemote(browserWSEndpoint: string): Promise<LaunchedBrowser> {
    try {
      const browser = await this.connected(
        { browserWSEndpoint, allowlist: this.options.rules.allowedOrigins.flatMap(originPatterns) },
        new Promise(() => undefined),
      );
      this.clearAbandoned(browser);
      const gone = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
      // A remote browser may have other users: the gateway disconnects and does not end it.
      const leave = (): Promise<void> => browser.disconnect();
      return await this.launched(browser, {
        close: leave,
        kill: () => void leave(),
        gone,
        isRemote: true,
        messageCount: () => undefined,
      });
    } catch (error) {
      throw remoteFailure(error);
    }
  }

  /** A remote browser outlives its connection and keeps the open pages; the next connection closes them. */
  private clearAbandoned(browser: Browser): void {
    const found = browser.browserContexts();
    const others = new Set(found.map(({ id }) => id));
    for (const context of found.filter(({ id }) => this.abandoned.delete(id))) {
      void context.close().catch(() => undefined);
    }
    browser.once('disconnected', () => {
      const own = browser.browserContexts().filter(({ id }) => !others.has(id));
      own.forEach(({ id }) => this.abandoned.add(id));
    });
  }

  private async connected(target: ConnectOptions, exited: Promise<void>): Promise<Browser> {
    const connecting = puppeteer.connect({
      ...target,
      defaultViewport: { width: 1280, height: 800 },
      protocolTimeout: 30_000,
    });
    const early = exited.then(() => {
      throw new UnavailableError('launch_failed', 'The browser ended while it started.');
    });
    return withDeadline(
      Promise.race([connecting, early]),
      this.options.launchTimeoutMs ?? DEFAULT_LAUNCH_TIMEOUT_MS,
      () => new UnavailableError('launch_failed', 'The browser did not start in time.'),
    );
  }

  private async launched(
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
    return new LaunchedBrowser(browser, session, end, this.clock.monotonic(), boundary);
  }

  /** None for a browser that may reach everything. */
  private async openBoundary(): Promise<BrowserBoundary | undefined> {
    const { rules } = this.options;
    if (rules.allowedOrigins.length === 0) {
      return undefined;
    }
    try {
      return await BrowserBoundary.open(rules);
    } catch (error) {
      throw launchFailure(error, '');
    }
  }

  private async args(
    executablePath: string,
    userDataDir: string,
    boundaryArgs: readonly string[] = [],
  ): Promise<string[]> {
    // The headless shell has only the old headless mode, at half the memory; the full browser only the new one.
    const headless = /headless[-_]shell/i.test(executablePath) ? 'shell' : !this.options.display;
    const args = [...(this.options.noSandbox ? ['--no-sandbox'] : []), ...boundaryArgs];
    return puppeteer.defaultArgs({ headless, userDataDir, args });
  }

  private async checkedExecutable(user: UserIds | undefined): Promise<string> {
    const { executablePath } = this.options;
    if (!executablePath || !(await isExecutable(executablePath))) {
      throw new UnavailableError(
        'browser_not_found',
        'No browser to start: set BROWSER_EXECUTABLE_PATH to Chrome or Chromium, or run the set-up again.',
      );
    }
    const closed = user && (await findClosedFolder(executablePath));
    if (closed) {
      throw new UnavailableError(
        'browser_not_reachable',
        `As root the browser runs as an unprivileged user, who may not enter ${closed}. Install it where every ` +
          `user may read, or set BROWSER_NO_SANDBOX in a container made for one purpose.`,
      );
    }
    return executablePath;
  }
}

/** Patterns (URLPattern syntax) for an origin and for its sockets. */
function originPatterns(origin: string): string[] {
  const { protocol, host } = new URL(origin);
  const socket = protocol === 'https:' ? 'wss:' : 'ws:';
  return [`${protocol}//${host}/*`, `${socket}//${host}/*`];
}

function launchFailure(error: unknown, output: string): UnavailableError {
  if (error instanceof UnavailableError && error.reason !== 'launch_failed') {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new UnavailableError('launch_failed', [message, output].filter(Boolean).join('\n'), error);
}

function remoteFailure(error: unknown): Error {
  if (error instanceof UnavailableError) {
    return error;
  }
  // Puppeteer rejects with the socket's event, which is no Error.
  const { message = '' } = error as { message?: string };
  if (/\b(429|503)\b/.test(message)) {
    return new RateLimitedError(GRID_FULL_RETRY_MS, 'The remote browsers are all in use.');
  }
  // The endpoint may hold a token, so the message repeats nothing of the cause.
  return new UnavailableError('launch_failed', 'The remote browser cannot be reached.', error);
}
