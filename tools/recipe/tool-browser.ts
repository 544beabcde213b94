import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings } from '../../src/common/config/settings.js';
import { type Clock } from '../../src/common/time/clock.js';
import { type PageRules } from '../../src/upstream/web/browser/boundary/egress-policy.js';
import { BrowserLauncher } from '../../src/upstream/web/browser/browser-launcher.js';
import { browserEndpoints, browserOptions } from '../../src/upstream/web/browser/browser-options.js';
import { type LaunchedBrowser } from '../../src/upstream/web/browser/launched-browser.js';

const LAUNCH_TIMEOUT_MS = 30_000;

export interface ToolBrowserOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Origins that pages may reach. */
  readonly rules: PageRules;
  /** Environment of a display, for a browser with a window. */
  readonly display?: Readonly<Record<string, string>> | undefined;
}

/** Runs `work` with a browser and a profile of its own, independent of a running gateway, and ends the browser after. */
export async function withBrowser<T>(
  { settings, clock, rules, display }: ToolBrowserOptions,
  work: (launched: LaunchedBrowser) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-recipe-'));
  // Root's browser runs as another user, who must get at its profile.
  await chmod(folder, 0o711);
  const launcher = new BrowserLauncher(
    {
      ...browserOptions(settings, rules, browserEndpoints(settings)[0]),
      profilesFolder: join(folder, 'profiles'),
      launchTimeoutMs: LAUNCH_TIMEOUT_MS,
      ...(display && { display }),
    },
    clock,
  );
  try {
    const launched = await launcher.launch();
    try {
      return await work(launched);
    } finally {
      await launched.close();
    }
  } finally {
    await launcher.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
