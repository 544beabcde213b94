import { join } from 'node:path';
import { type Settings } from '../common/config/settings.js';
import { projectFolder } from '../common/files/project-folder.js';
import { type NetworkLog } from '../common/network/network-log.js';
import { type Clock } from '../common/time/clock.js';
import { SandboxSite, type SandboxSiteOptions } from '../sandbox/sandbox-site.js';
import { type DriverLog } from './driver-log.js';
import { loadRecipe } from './web/recipe/recipe-loader.js';
import { WebDriver, type WebDriverOptions } from './web/web-driver.js';

/** Parts of the web driver that the gateway provides, and the options of the site. */
export interface SandboxDriverOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly network?: NetworkLog | undefined;
  readonly site: SandboxSiteOptions;
}

/** The built-in chat site, driven through the browser by its recipe like any other site. */
export class SandboxDriver extends WebDriver {
  private constructor(
    /** For tests: the site's records show what the driver did, and its switches make it misbehave. */
    readonly sandbox: SandboxSite,
    options: WebDriverOptions,
  ) {
    super(options);
  }

  /** Starts the site and a driver whose accounts are the site's. Rejects if the recipe cannot be read. */
  static async start({ site: siteOptions, ...options }: SandboxDriverOptions): Promise<SandboxDriver> {
    const recipe = await loadRecipe(join(projectFolder(), 'recipes', 'sandbox.json'), ['site.origin']);
    const site = new SandboxSite(siteOptions);
    const origin = await site.start();
    const seeds = site.accounts.map(({ name, password }) => ({
      name,
      credentials: { user: name, password },
    }));
    return new SandboxDriver(site, { ...options, recipe, seeds, variables: { 'site.origin': origin } });
  }

  override async close(): Promise<void> {
    await super.close();
    await this.sandbox.close();
  }
}
