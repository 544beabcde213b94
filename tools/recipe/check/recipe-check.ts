import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings } from '../../../src/common/config/settings.js';
import { NoNetworkLog } from '../../../src/common/network/network-log.js';
import { type Clock } from '../../../src/common/time/clock.js';
import { type UpstreamAccount } from '../../../src/upstream/upstream-driver.js';
import { AccountContext } from '../../../src/upstream/web/account/account-context.js';
import { type PageRules } from '../../../src/upstream/web/browser/boundary/allowed-reach.js';
import { type LaunchedBrowser } from '../../../src/upstream/web/browser/launched-browser.js';
import { type ChatPage } from '../../../src/upstream/web/conversation/chat-page.js';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';
import { type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';
import { pageRules, type Site } from '../../../src/upstream/web/site.js';
import { WEB_LIMITS } from '../../../src/upstream/web/web-limits.js';
import { NetworkWatch } from '../network-watch.js';
import { shownUrl } from '../shown-url.js';
import { withBrowser } from '../tool-browser.js';
import { CheckObserver } from './check-observer.js';
import { CheckPrompt } from './check-prompt.js';
import { failurePlace } from './failure-place.js';
import { type PagePicture, takePicture } from './page-picture.js';
import { shownSigns } from './sign-look.js';
import { StepLog } from './step-log.js';

export interface RecipeCheckOptions {
  readonly recipe: SiteRecipe;
  /** Values for the recipe's placeholders; they override the recipe's. */
  readonly variables?: TemplateValues;
  /** E.g. `{ user, password }`; never printed. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly model: string;
  readonly thinking: boolean;
  /** Folder for the screenshot of a failure; by default a new temporary folder. */
  readonly screenshotFolder?: string | undefined;
  /** Environment of a display, for a browser with a window. */
  readonly display?: Readonly<Record<string, string>> | undefined;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Drives a recipe once, from login to answer, and prints each step. */
export class RecipeCheck {
  private readonly log: StepLog;
  private readonly observer: CheckObserver;
  private readonly network: NetworkWatch;
  private readonly site: Site;
  private readonly rules: PageRules;
  private readonly prompt: CheckPrompt;
  private hasBrowser = false;
  private hasPage = false;
  private picture: PagePicture | undefined;
  private shown: readonly string[] = [];

  constructor(private readonly options: RecipeCheckOptions) {
    const { recipe, settings, clock, print } = options;
    const variables = {
      ...(recipe.origin && { 'site.origin': new URL(recipe.origin).origin }),
      ...options.variables,
    };
    this.log = new StepLog(print, clock);
    this.observer = new CheckObserver(
      recipe,
      this.log,
      () => this.prompt.sending(),
      (guard) => this.look(guard),
    );
    this.site = {
      recipe,
      variables,
      settings,
      limits: WEB_LIMITS,
      clock,
      log: () => undefined,
      network: new NoNetworkLog(),
      workbench: this.observer,
    };
    this.rules = pageRules(recipe, variables);
    this.prompt = new CheckPrompt(options, this.site, this.values(), this.log, this.observer);
    this.network = new NetworkWatch({
      readsAnswers: false,
      onRequest: (request) => this.prompt.onRequest(request),
      onFailed: ({ facts }) => this.onFailedRequest(facts.url),
    });
  }

  /** Whether the recipe works. Rejects only if the caller aborts. */
  async run(): Promise<boolean> {
    const { settings, clock, display, signal } = this.options;
    try {
      await withBrowser({ settings, clock, display, rules: this.rules }, (launched) => this.drive(launched));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.tellFailure(error);
      return false;
    }
  }

  private async drive(launched: LaunchedBrowser): Promise<void> {
    this.hasBrowser = true;
    this.log.done(`browser ${await launched.browser.version()}`);
    launched.browser.on('targetcreated', (target) => {
      void target
        .page()
        .then((page) => page && this.network.attach(page))
        // A page that is closed at once need not be followed.
        .catch(() => undefined);
    });
    const context = await AccountContext.open(launched, this.account(), this.site);
    try {
      const page = await context.openPage(this.options.signal);
      this.hasPage = true;
      this.log.fits(this.observer.isLoggingIn ? 'login: logged in' : 'login: not asked for');
      await this.ask(page);
    } finally {
      await context.close();
    }
  }

  private async ask(page: ChatPage): Promise<void> {
    try {
      await this.prompt.ask(page);
    } catch (error) {
      await this.look(page.guard);
      throw error;
    }
  }

  private async look(guard: PageGuard): Promise<void> {
    const { recipe, clock } = this.site;
    const folder = this.options.screenshotFolder ?? (await mkdtemp(join(tmpdir(), 'recipe-check-')));
    this.picture = await takePicture(guard, folder, `${recipe.name}-failed`);
    this.shown = await shownSigns(recipe.signs, guard, this.values(), clock);
  }

  private tellFailure(error: unknown): void {
    const { wasSent, isLoggingIn, failedStep, signs } = this.observer;
    const { hasBrowser, hasPage, log, picture } = this;
    const progress = { hasBrowser, hasPage, isLoggingIn, wasSent, isRequested: this.prompt.isRequested };
    log.failed(failedStep ?? failurePlace(error, progress));
    log.detail(`error: ${error instanceof Error ? error.message : String(error)}`);
    for (const sign of new Set([...signs, ...this.shown])) {
      log.detail(`sign: ${sign}`);
    }
    if (picture) {
      log.detail(`page: ${picture.url} “${picture.title}”`);
      log.detail(`screenshot: ${picture.screenshot ?? 'none could be taken'}`);
    }
  }

  private onFailedRequest(url: string): void {
    const { origin } = new URL(url);
    if (!this.rules.allowedOrigins.includes(origin)) {
      this.log.note(`kept from ${shownUrl(url)}: not in allowedOrigins`);
    }
  }

  /** An account without saved state, so that the driver logs in. */
  private account(): UpstreamAccount {
    return {
      id: 'check',
      name: 'check',
      login: 0,
      credentials: this.options.credentials,
      loadState: () => Promise.resolve(undefined),
      saveState: () => undefined,
    };
  }

  private values(): TemplateValues {
    const credentials = Object.entries(this.options.credentials).map(([name, value]) => [
      `account.${name}`,
      value,
    ]);
    return { ...this.site.variables, ...(Object.fromEntries(credentials) as TemplateValues) };
  }
}
