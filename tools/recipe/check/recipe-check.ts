import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Settings } from '../../../src/common/config/settings.js';
import { NoNetworkLog } from '../../../src/common/network/network-log.js';
import { type Clock } from '../../../src/common/time/clock.js';
import { LoginRequiredError } from '../../../src/upstream/upstream.errors.js';
import { type PromptImage } from '../../../src/upstream/upstream-driver.js';
import { AccountContext } from '../../../src/upstream/web/account/account-context.js';
import { type PageRules } from '../../../src/upstream/web/browser/boundary/egress-policy.js';
import { type LaunchedBrowser } from '../../../src/upstream/web/browser/launched-browser.js';
import { EarlierPrompts } from '../../../src/upstream/web/capture/earlier-prompts.js';
import { type ChatPage } from '../../../src/upstream/web/conversation/chat-page.js';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';
import { type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';
import { accountValues, pageRules, type Site, siteVariables } from '../../../src/upstream/web/site.js';
import { WEB_LIMITS } from '../../../src/upstream/web/web-limits.js';
import { NetworkWatch } from '../network-watch.js';
import { shownUrl } from '../shown-url.js';
import { withBrowser } from '../tool-browser.js';
import { checkAccount } from './check-account.js';
import { CheckObserver } from './check-observer.js';
import { CheckPrompt, type CheckQuestion } from './check-prompt.js';
import { failurePlace } from './failure-place.js';
import { markedPrompt, newMark, secondPrompt, showsConversation } from './new-chat.js';
import { type PagePicture, takePicture } from './page-picture.js';
import { shownSigns } from './sign-look.js';
import { StepLog } from './step-log.js';

/** Goes with the first prompt at a site that takes images: 64 by 64 pixels. */
const CHECKERED: PromptImage = {
  type: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAGklEQVR42mNgYPj/H4IHB2NwuYaBYTR88DIA8wL/AcYaMQYAAAAASUVORK5CYII=',
};

export interface RecipeCheckOptions {
  readonly recipe: SiteRecipe;
  /** Values for the recipe's placeholders; they override the recipe's. */
  readonly variables?: TemplateValues;
  /** E.g. `{ user, password }`; never printed. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly model: string;
  readonly thinking: boolean;
  /** Characters of the second prompt; by default it is short. */
  readonly length?: number | undefined;
  /** Folder for the screenshot of a failure; by default a new temporary folder. */
  readonly screenshotFolder?: string | undefined;
  /** Environment of a display, for a browser with a window. */
  readonly display?: Readonly<Record<string, string>> | undefined;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Drives a recipe from login to answer, and prints each step. A second prompt then shows whether conversations are kept
 * apart; its steps are printed only if it fails.
 */
export class RecipeCheck {
  private readonly log: StepLog;
  private readonly observer: CheckObserver;
  private readonly network: NetworkWatch;
  private readonly site: Site;
  /** Text that the first prompt ends with. */
  private readonly mark: string;
  private readonly rules: PageRules;
  private prompt: CheckPrompt;
  private hasBrowser = false;
  private hasPage = false;
  /** Key of the recipe that is to blame, where the error does not tell. */
  private place: string | undefined;
  private picture: PagePicture | undefined;
  private shown: readonly string[] = [];

  constructor(private readonly options: RecipeCheckOptions) {
    const { recipe, settings, clock, print } = options;
    const variables = siteVariables(recipe, options.variables);
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
    this.mark = newMark();
    this.prompt = this.promptOf(markedPrompt(options.prompt, this.mark), {
      images: recipe.prompt.images ? [CHECKERED] : [],
      thinking: options.thinking,
    });
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
    const account = checkAccount(this.options.credentials);
    const context = await AccountContext.open(launched, account, this.site, new EarlierPrompts());
    try {
      const page = await this.open(context);
      this.tellLogin();
      await this.ask(page);
      await context.closePage(page);
      await this.askAgain(context);
      const { untried } = this.observer;
      if (untried.length > 0) {
        this.log.note(`not tried: ${untried.join(', ')}`);
      }
    } finally {
      await context.close();
    }
  }

  private async open(context: AccountContext): Promise<ChatPage> {
    const { signal } = this.options;
    const page = await context.openPage(signal);
    this.hasPage = true;
    if (!(await page.isReady(signal))) {
      this.log.note('newChat.ready does not stay: each prompt would wait for another page');
    }
    return page;
  }

  private tellLogin(): void {
    const { recipe } = this.site;
    if (this.observer.isLoggingIn) {
      this.log.fits('login: logged in');
    } else if (recipe.login.steps.length > 0) {
      this.log.note('login: not asked for, so that login.steps are not checked');
    } else {
      this.log.fits('login: not asked for');
    }
  }

  private async ask(page: ChatPage): Promise<void> {
    try {
      await this.prompt.ask(page);
      this.observer.tellPassedOver();
    } catch (error) {
      await this.look(page.guard);
      throw error;
    }
  }

  /** Sends a prompt of its own from a page of its own, which must not know the first one. */
  private async askAgain(context: AccountContext): Promise<void> {
    const { length = 0 } = this.options;
    const answer = this.prompt.text;
    this.log.holdBack();
    this.log.detail('with a second prompt, in a new chat:');
    this.observer.begin();
    this.hasPage = false;
    const question = markedPrompt(secondPrompt(length), newMark());
    this.prompt = this.promptOf(question, { images: [], thinking: false });
    const page = await this.open(context);
    try {
      await this.ask(page);
      await this.assertNewChat(page, answer);
    } catch (error) {
      // The driver refuses to send earlier prompts along; a challenge of the site would show by its signs.
      const isOld = error instanceof LoginRequiredError && error.fault === 'blocked';
      this.place ??= isOld && this.shown.length + this.observer.signs.length === 0 ? 'newChat' : undefined;
      throw error;
    }
    await context.closePage(page);
    this.log.dropHeld();
    this.log.fits(
      `a second prompt of ${question.length} characters, in a new chat: answered with ${this.prompt.text.length}`,
    );
  }

  private async assertNewChat({ guard }: ChatPage, answer: string): Promise<void> {
    if (await showsConversation(guard, this.mark, answer)) {
      this.place = 'newChat';
      await this.look(guard);
      throw new Error('The page of a new chat shows the conversation before.');
    }
  }

  private promptOf(
    prompt: string,
    { images, thinking }: Pick<CheckQuestion, 'images' | 'thinking'>,
  ): CheckPrompt {
    const { model, signal } = this.options;
    const question = { prompt, images, model, thinking, signal };
    return new CheckPrompt(question, this.site, this.values(), this.log, this.observer);
  }

  private async look(guard: PageGuard): Promise<void> {
    const { recipe, clock } = this.site;
    const folder = this.options.screenshotFolder ?? (await mkdtemp(join(tmpdir(), 'recipe-check-')));
    this.picture = await takePicture(guard, folder, `${recipe.name}-failed`);
    this.shown = await shownSigns(recipe.signs, guard, this.values(), clock);
  }

  private tellFailure(error: unknown): void {
    const { observer, prompt, hasBrowser, hasPage, log, picture } = this;
    const { wasSent, isLoggingIn, signs } = observer;
    const failedStep = observer.failedStep(error);
    observer.tellPassedOver(error);
    prompt.tellCarriers(this.network.requests);
    const progress = { hasBrowser, hasPage, isLoggingIn, wasSent, awaited: prompt.awaited };
    log.failed(this.place ?? failedStep ?? failurePlace(error, progress));
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

  private values(): TemplateValues {
    return accountValues(this.site, this.options.credentials);
  }
}
