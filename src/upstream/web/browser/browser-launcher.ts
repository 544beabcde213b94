import puppeteer from 'puppeteer';
import { type Clock } from '../../../common/time/clock.js';
import { untilAborted } from '../../../common/time/until-aborted.js';
import { UnavailableError } from '../../upstream.errors.js';
import { BrowserBoundary } from './boundary/browser-boundary.js';
import { BrowserConnector } from './browser-connector.js';
import { type BrowserOptions } from './browser-options.js';
import { BrowserProcess } from './browser-process.js';
import { type BrowserEnd, type LaunchedBrowser } from './launched-browser.js';
import { ProfileFolders } from './profile-folders.js';
import { RemoteBrowsers } from './remote-browsers.js';
import { browserUser, findClosedFolder, isExecutable, type UserIds } from './unprivileged-user.js';

/** Starts browsers, or connects to those of a remote endpoint. */
export class BrowserLauncher {
  private readonly profiles: ProfileFolders;
  private readonly connector: BrowserConnector;
  private readonly remote: RemoteBrowsers | undefined;

  constructor(
    private readonly options: BrowserOptions,
    clock: Clock,
  ) {
    this.profiles = new ProfileFolders(options.profilesFolder);
    this.connector = new BrowserConnector(clock, options.launchTimeoutMs);
    this.remote = options.endpoint && new RemoteBrowsers(options.endpoint, options.rules, this.connector);
  }

  /**
   * Rejects with UnavailableError, or with RateLimitedError if a remote endpoint is full.
   * @param signal ends a start that is under way, with its reason; none by default
   */
  async launch(signal = new AbortController().signal): Promise<LaunchedBrowser> {
    return this.remote ? this.remote.connect(signal) : this.launchLocal(signal);
  }

  /** Removes the folder of the profiles; to be called after the last browser has ended. */
  async close(): Promise<void> {
    await this.remote?.close();
    await this.profiles.close();
  }

  private async launchLocal(signal: AbortSignal): Promise<LaunchedBrowser> {
    const boundary = await this.openBoundary();
    try {
      return await this.launchWithin(boundary, signal);
    } catch (error) {
      boundary?.close();
      throw error;
    }
  }

  private async launchWithin(
    boundary: BrowserBoundary | undefined,
    signal: AbortSignal,
  ): Promise<LaunchedBrowser> {
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
      return await untilAborted(this.control(process, gone, boundary), signal);
    } catch (error) {
      process.kill();
      await gone;
      throw launchFailure(error, process.lastOutput);
    }
  }

  /** @param gone resolves when no process and no profile is left */
  private async control(
    process: BrowserProcess,
    gone: Promise<void>,
    boundary: BrowserBoundary | undefined,
  ): Promise<LaunchedBrowser> {
    const browser = await this.connector.connect({ transport: process.transport }, process.exited);
    const end: BrowserEnd = {
      close: () => browser.close(),
      kill: () => process.kill(),
      gone,
      isRemote: false,
      heard: () => process.transport.messageCount,
      failure: () => process.transport.failure,
    };
    return this.connector.accept(browser, end, boundary);
  }

  /** None for a browser that may reach everything, and that without a proxy. */
  private async openBoundary(): Promise<BrowserBoundary | undefined> {
    const { rules, proxies } = this.options;
    const isOpen = rules.allowedOrigins.length === 0;
    if (isOpen && (proxies?.HTTPS_PROXY ?? proxies?.HTTP_PROXY) === undefined) {
      return undefined;
    }
    try {
      return await BrowserBoundary.open(isOpen ? { ...rules, isOpen, keepsWindows: true } : rules, proxies);
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

function launchFailure(error: unknown, output: string): UnavailableError {
  if (error instanceof UnavailableError && error.fault !== 'launch_failed') {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new UnavailableError('launch_failed', [message, output].filter(Boolean).join('\n'), {
    cause: error,
  });
}
