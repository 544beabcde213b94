import { type BrowserContext } from 'puppeteer';
import { MINUTE_MS } from '../../../common/time/durations.js';
import { Mutex } from '../../../common/time/mutex.js';
import { LoginRequiredError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { type EarlierPrompts } from '../capture/earlier-prompts.js';
import { type ChatPage, type Landing } from '../conversation/chat-page.js';
import { type Site } from '../site.js';
import { BROWSER_TIMEOUT_MS, inBrowser } from './in-browser.js';
import { logIn } from './login.js';
import {
  type LoginState,
  parseLoginState,
  readLoginState,
  restoreCookies,
  restoreStorage,
} from './login-state.js';

const SAVE_EVERY_MS = 5 * MINUTE_MS;
/** For the last look at the login state, which must not hold up a shutdown. */
const KEEP_TIMEOUT_MS = 2000;

/** The login of an account in its browser context: restored, done anew where the site asks for it, and kept. */
export class ContextLogin {
  private readonly landing = new Mutex();
  private readonly loginOf = new WeakMap<ChatPage, number>();
  private savedAt: number;
  private logins = 0;
  private isLoggedIn = false;
  private keeping: Promise<void> | undefined;
  private savedState = '';
  private hasSavedCookies = false;
  /** What the login left in its tab; a tab that has been used may hold its conversation, too. */
  private tab: LoginState['tab'] = {};

  constructor(
    private readonly context: BrowserContext,
    private readonly launched: LaunchedBrowser,
    private readonly account: UpstreamAccount,
    private readonly site: Site,
    private readonly earlier: EarlierPrompts,
  ) {
    this.savedAt = site.clock.monotonic();
  }

  /** Whether the account was logged in again after this page was opened, so that the site refuses its requests. */
  isOutdated(page: ChatPage): boolean {
    return this.loginOf.get(page) !== this.logins;
  }

  /** Resolves once no page is read for the login that it has. Never rejects. */
  get kept(): Promise<void> {
    return this.keeping ?? Promise.resolve();
  }

  /** Puts the saved cookies into the context. */
  async restore(): Promise<void> {
    const state = parseLoginState(await this.account.loadState());
    if (state) {
      this.tab = state.tab;
      this.hasSavedCookies = state.cookies.length > 0;
      this.earlier.adopt(state.earlier);
      await inBrowser(this.launched, restoreCookies(this.context, state));
    }
  }

  /** Opens a new conversation on a page, after a login if need be. */
  async land(page: ChatPage, signal: AbortSignal): Promise<void> {
    const login = this.logins;
    if (this.isLoggedIn && (await this.openChat(page, signal)) === 'ready') {
      this.loginOf.set(page, login);
      return;
    }
    // One page at a time: the first logs in, the others find the login done.
    await this.landing.run(() => this.landAfterLogin(page, signal), signal);
  }

  /** See `AccountContext.logInWith`. */
  async logInWith(
    page: ChatPage,
    logInOn: (page: ChatPage, arrived: () => Promise<void>) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const state = parseLoginState(await this.account.loadState());
    const stopRestoring = await this.restoreOn(page, state);
    await logInOn(page, stopRestoring);
    await this.prove(page, signal);
  }

  /**
   * Saves what a page has of the login: now and then, and whenever it is the account's last here. The next context, which
   * may be another gateway's, then needs no login, though cookies have changed meanwhile. Never rejects.
   * @param isLast whether another gateway may use the account next
   * @param isClosing whether the context is being taken down, so that nothing whole can be read
   */
  async keep(page: ChatPage, isLast: boolean, isClosing: boolean): Promise<void> {
    if (!isLast && this.site.clock.monotonic() - this.savedAt <= SAVE_EVERY_MS) {
      return;
    }
    const isWhole = this.isLoggedIn && !isClosing;
    this.keeping ??= (isWhole ? this.save(page, KEEP_TIMEOUT_MS, false) : Promise.resolve())
      .catch(() => undefined)
      .finally(() => (this.keeping = undefined));
    await this.keeping;
  }

  private async landAfterLogin(page: ChatPage, signal: AbortSignal): Promise<void> {
    const state = parseLoginState(await this.account.loadState());
    let landing = await this.openChat(page, signal, state);
    if (landing === 'login' && (await this.restoreIfWiped())) {
      landing = await page.openChat(signal);
    }
    const isUnproven = state === undefined && this.site.recipe.login.when === 'unsaved';
    if (landing === 'login' || (isUnproven && !this.isLoggedIn)) {
      // Counted before the attempt: the site ends the earlier login before this process hears of the new one.
      this.logins++;
      await logIn(page, this.site.recipe, this.account.credentials, signal);
      await this.prove(page, signal);
    }
    this.isLoggedIn = true;
    this.loginOf.set(page, this.logins);
  }

  /** @param state see `restoreStorage` */
  private async openChat(page: ChatPage, signal: AbortSignal, state?: LoginState): Promise<Landing> {
    const stopRestoring = await this.restoreOn(page, state);
    const landing = await page.openChat(signal);
    await stopRestoring();
    return landing;
  }

  /** As `restoreStorage`, for as long as page and browser live. */
  private async restoreOn({ guard }: ChatPage, state?: LoginState): Promise<() => Promise<void>> {
    const run = <T>(operation: Promise<T>): Promise<T> =>
      guard.run(inBrowser(this.launched, operation), { what: 'restore the login state' });
    const stop = await run(restoreStorage(guard.page, this.tab, state));
    return () => run(stop());
  }

  /** A login counts once it has led to a chat; it is then kept. */
  private async prove(page: ChatPage, signal: AbortSignal): Promise<void> {
    this.site.log(`Account ${this.account.name} logged in`);
    if ((await page.openChat(signal)) === 'login') {
      throw new LoginRequiredError('login_failed', 'The site asks for a login again right after one.');
    }
    await this.save(page, BROWSER_TIMEOUT_MS, true);
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

  /** @param isNew whether the account has just logged in on this page */
  private async save(page: ChatPage, timeoutMs: number, isNew: boolean): Promise<void> {
    const reading = readLoginState(this.context, page.guard.page);
    const found = await page.guard.run(reading, { timeoutMs, what: 'read the login state' });
    if (isNew) {
      this.tab = found.tab;
    }
    const state = JSON.stringify({ ...found, tab: this.tab, earlier: this.earlier.latest() });
    this.savedAt = this.site.clock.monotonic();
    const hasCookies = found.cookies.length > 0;
    // A context that is being taken down may have lost its cookies already.
    const isLost = !isNew && this.hasSavedCookies && !hasCookies;
    if (state !== this.savedState && !isLost) {
      this.savedState = state;
      this.hasSavedCookies = hasCookies;
      this.account.saveState(state);
    }
  }
}
