import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext } from 'puppeteer';
import { parseBrowserEndpoints } from '../../../src/common/config/browser-endpoints.js';
import { SystemClock } from '../../../src/common/time/clock.js';
import { BrowserLauncher } from '../../../src/upstream/web/browser/browser-launcher.js';
import { type LaunchedBrowser } from '../../../src/upstream/web/browser/launched-browser.js';
import { PATIENCE_MS } from '../watch/eventually.js';

/** A browser for the project's own pages. */
export class PageBrowser {
  private constructor(
    private readonly launched: LaunchedBrowser,
    /** For its profile, and for files that it reads. */
    readonly folder: string,
  ) {}

  static async start(): Promise<PageBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'page-browser-'));
    // The browser may run as another user, who must be able to read the folder.
    await chmod(folder, 0o755);
    const launcher = new BrowserLauncher(
      {
        executablePath: process.env.BROWSER_EXECUTABLE_PATH,
        endpoint: parseBrowserEndpoints(process.env.BROWSER_ENDPOINTS ?? '')[0],
        noSandbox: false,
        profilesFolder: folder,
        rules: { allowedOrigins: [] },
        launchTimeoutMs: PATIENCE_MS,
      },
      new SystemClock(),
    );
    return new PageBrowser(await launcher.launch(), folder);
  }

  newVisitor(): Promise<BrowserContext> {
    return this.launched.browser.createBrowserContext();
  }

  async close(): Promise<void> {
    await this.launched.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
