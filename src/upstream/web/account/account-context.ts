import { type BrowserContext } from 'puppeteer';
import { Mutex } from '../../../common/time/mutex.js';
import { LoginRequiredError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type ContextBoundary } from '../browser/boundary/browser-boundary.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { type EarlierPrompts } from '../capture/earlier-prompts.js';
import { ChatPage } from '../conversation/chat-page.js';
import { withEvidence } from '../page/page-evidence.js';
import { type TemplateValues } from '../recipe/recipe-template.js';
import { type Site } from '../site.js';
import { withCause } from './connection-cause.js';
import { BROWSER_TIMEOUT_MS, inBrowser } from './in-browser.js';
import { logIn } from './login.js';
import { parseLoginState, readLoginState, restoreCookies, restoreStorage } from './login-state.js';
import { RefusedRequests } from './refused-requests.js';

const SAVE_EVERY_MS = 5 * 60_000;
/** For the last look at the login state, which must not hold up a shutdown. */
const KEEP_TIMEOUT_MS = 2000;

/** The browser context of one account: its cookies, its login, its pages. */
export class AccountContext {
  private readonly landing = new Mutex();
  private readonly release: () => void;
  private readonly end = Promise.withResolvers<void>();
  private readonly loginOf = new WeakMap<ChatPage, number>();
  private pagesOpened = 0;
  private pagesOpen = 0;
  private usedAt: number;
  private savedAt: number;
  private logins = 0;
  private isLoggedIn = false;
  private isRetired = false;
  private closing: Promise<void> | undefined;
  private keeping: Promise<void> | undefined;
  private savedState = '';

  private constructor(
    private readonly context: BrowserContext,
    private readonly launched: LaunchedBrowser,
    private readonly account: UpstreamAccount,
    private readonly site: Site,
    private readonly earlier: EarlierPrompts,
    private readonly refused: RefusedRequests,
    private readonly boundary: ContextBoundary | undefined,
  ) {
    this.release = launched.use();
    this.usedAt = site.clock.monotonic();
    this.savedAt = this.usedAt;
  }

  /**
   * A new context with the account's saved cookies.
   * @param earlier prompts of the account in other contexts, too: the site's storage in the browser outlives them
   */
  static async open(
    launched: LaunchedBrowser,
    account: UpstreamAccount,
    site: Site,
    earlier: EarlierPrompts,
  ): Promise<AccountContext> {
    const refused = new RefusedRequests(site.network, account);
    const opening = launched.boundary?.openContext((refusal) => refused.note(refusal));
    const boundary = opening && (await inBrowser(launched, opening));
    try {
      const creating = launched.browser.createBrowserContext(boundary?.options);
      const context = await inBrowser(launched, creating);
      const opened = new AccountContext(context, launched, account, site, earlier, refused, boundary);
      await opened.restore().catch(async (error: unknown) => {
        await opened.close();
        throw error;
      });
      return opened;
    } catch (error) {
      boundary?.close();
      throw error;
    }
  }

  /** Resolves once the context and all its pages are closed. */
  get closed(): Promise<void> {
    return this.end.promise;
  }

  /** Number of the account's login, as in `UpstreamAccount`. */
  get login(): number {
    return this.account.login;
  }

  /** False once no further page should be opened here. */
  get takesPages(): boolean {
    const { contextPages, contextIdleMs } = this.site.limits;
    const isStale = this.site.clock.monotonic() - this.usedAt > contextIdleMs;
    return !this.isRetired && !this.launched.isDraining && this.pagesOpened < contextPages && !isStale;
  }

  /** Whether the account was logged in again after this page was opened, so that the site refuses its requests. */
  isOutdated(page: ChatPage): boolean {
    return this.loginOf.get(page) !== this.logins;
  }

  /** The failure of a page of this context, with what its boundary knows of the cause. */
  explain(error: unknown): unknown {
    return withCause(error, this.boundary);
  }

  /** A page with a new conversation on it, logged in if need be. */
  async openPage(signal: AbortSignal): Promise<ChatPage> {
    let page: ChatPage | undefined;
    try {
      page = await this.newPage();
      await this.land(page, signal);
      return page;
    } catch (error) {
      if (page) {
        await this.site.workbench?.pageFailed(page.guard);
      }
      const failure =
        page && error instanceof LoginRequiredError
          ? this.refused.explain(await withEvidence(error, page.guard))
          : this.explain(error);
      await this.closePage(page);
      throw failure;
    }
  }

  /**
   * Logs the account in on a page of its own, and keeps the login. Rejects as `openPage`, but without evidence.
   * @param logInOn resolves once the site shows that the account is logged in; calls `arrived` at the site's first page
   */
  async logInWith(
    logInOn: (page: ChatPage, arrived: () => Promise<void>) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    let page: ChatPage | undefined;
    try {
      page = await this.newPage();
      const state = parseLoginState(await this.account.loadState());
      const stopRestoring = state && (await restoreStorage(page.guard.page, state));
      await logInOn(page, async () => stopRestoring?.());
      await this.prove(page, signal);
    } finally {
      await this.closePage(page);
    }
  }

  /**
   * Closes a page of this context; keeps the login state now and then. Never throws.
   * @param isGivenUp whether the page's session ends, so that another gateway may use the account next
   */
  async closePage(page: ChatPage | undefined, isGivenUp = false): Promise<void> {
    this.usedAt = this.site.clock.monotonic();
    if (page && (isGivenUp || this.usedAt - this.savedAt > SAVE_EVERY_MS)) {
      await this.keepLogin(page);
    }
    await page?.close();
    this.pagesOpen--;
    await this.closeIfDone();
  }

  /** Opens no further pages; closes with the last one. */
  async retire(): Promise<void> {
    this.isRetired = true;
    await this.closeIfDone();
  }

  /** Closes the context with all its pages. Never throws, may be called twice. */
  close(): Promise<void> {
    this.isRetired = true;
    this.closing ??= (this.keeping ?? Promise.resolve()).then(() => this.dispose());
    return this.closing;
  }

  private async land(page: ChatPage, signal: AbortSignal): Promise<void> {
    const login = this.logins;
    if (this.isLoggedIn && (await page.openChat(signal)) === 'ready') {
      this.loginOf.set(page, login);
      return;
    }
    // One page at a time: the first logs in, the others find the login done.
    await this.landing.run(() => this.landAfterLogin(page, signal), signal);
  }

  private async landAfterLogin(page: ChatPage, signal: AbortSignal): Promise<void> {
    const state = parseLoginState(await this.account.loadState());
    const stopRestoring = state && (await restoreStorage(page.guard.page, state));
    let landing = await page.openChat(signal);
    await stopRestoring?.();
    if (landing === 'login' && (await this.restoreIfWiped())) {
      landing = await page.openChat(signal);
    }
    const isUnproven = state === undefined && this.site.recipe.login.when === 'unsaved';
    if (landing === 'login' || (isUnproven && !this.isLoggedIn)) {
      // Counted before the attempt: the site ends the earlier login before this process hears of the new one.
      this.logins++;
      await logIn(page, this.site.recipe, signal);
      await this.prove(page, signal);
    }
    this.isLoggedIn = true;
    this.loginOf.set(page, this.logins);
  }

  /** A login counts once it has led to a chat; it is then kept. */
  private async prove(page: ChatPage, signal: AbortSignal): Promise<void> {
    this.site.log(`Account ${this.account.name} logged in`);
    if ((await page.openChat(signal)) === 'login') {
      throw new LoginRequiredError('login_wall', 'The site asks for a login again right after one.');
    }
    await this.save(page);
  }

  private async newPage(): Promise<ChatPage> {
    this.pagesOpened++;
    this.pagesOpen++;
    this.launched.countPage();
    this.usedAt = this.site.clock.monotonic();
    const blank = await inBrowser(this.launched, this.context.newPage());
    const page = await ChatPage.create(blank, this.launched, this.site, this.account, this.values());
    page.earlier = this.earlier;
    return page;
  }

  private values(): TemplateValues {
    const credentials = Object.entries(this.account.credentials).map(([key, value]) => [
      `account.${key}`,
      value,
    ]);
    return { ...this.site.variables, ...(Object.fromEntries(credentials) as TemplateValues) };
  }

  private async restore(): Promise<void> {
    const state = parseLoginState(await this.account.loadState());
    if (state) {
      this.earlier.adopt(state.earlier);
      await inBrowser(this.launched, restoreCookies(this.context, state));
    }
  }

  /** A crash of the browser's network service takes the cookies of every context with it. */
  private async restoreIfWiped(): Promise<boolean> {
    const cookies = await inBrowser(this.launched, this.context.cookies());
    const saved = parseLoginState(await this.account.loadState());
    if (!saved || saved.cookies.length === 0 || cookies.length > 0) {
      return false;
    }
    await this.restore();
    return true;
  }

  /** The next context, which may be another gateway's, then needs no login, though cookies have changed meanwhile. */
  private keepLogin(page: ChatPage): Promise<void> {
    const isWhole = this.isLoggedIn && this.closing === undefined;
    this.keeping ??= (isWhole ? this.save(page, KEEP_TIMEOUT_MS) : Promise.resolve())
      .catch(() => undefined)
      .finally(() => (this.keeping = undefined));
    return this.keeping;
  }

  private async save(page: ChatPage, timeoutMs = BROWSER_TIMEOUT_MS): Promise<void> {
    const reading = readLoginState(this.context, page.guard.page);
    const found = await page.guard.run(reading, { timeoutMs, what: 'read the login state' });
    const state = JSON.stringify({ ...found, earlier: this.earlier.latest() });
    this.savedAt = this.site.clock.monotonic();
    // A context that is being taken down may have lost its cookies already.
    const isLost = found.cookies.length === 0 && this.savedState !== '';
    if (state !== this.savedState && !isLost) {
      this.savedState = state;
      this.account.saveState(state);
    }
  }

  private async closeIfDone(): Promise<void> {
    if (this.pagesOpen === 0 && !this.takesPages) {
      await this.close();
    }
  }

  private async dispose(): Promise<void> {
    await inBrowser(this.launched, this.context.close()).catch(() => undefined);
    this.boundary?.close();
    this.release();
    this.end.resolve();
  }
}
