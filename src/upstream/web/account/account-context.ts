import { type BrowserContext } from 'puppeteer';
import { LoginRequiredError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type ContextBoundary } from '../browser/boundary/browser-boundary.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { type EarlierPrompts } from '../capture/earlier-prompts.js';
import { ChatPage } from '../conversation/chat-page.js';
import { withEvidence } from '../page/page-evidence.js';
import { type TemplateValues } from '../recipe/recipe-template.js';
import { accountValues, type Site } from '../site.js';
import { withCause } from './connection-cause.js';
import { ContextLogin } from './context-login.js';
import { inBrowser } from './in-browser.js';
import { RefusedRequests } from './refused-requests.js';

/** A browser context, and what belongs to it alone. */
interface OpenedContext {
  readonly context: BrowserContext;
  readonly launched: LaunchedBrowser;
  readonly boundary: ContextBoundary | undefined;
  readonly refused: RefusedRequests;
}

/** The browser context of one account: its pages, and when it ends. Its login is kept by `ContextLogin`. */
export class AccountContext {
  private readonly contextLogin: ContextLogin;
  private readonly release: () => void;
  private readonly end = Promise.withResolvers<void>();
  private pagesOpened = 0;
  private pagesOpen = 0;
  private usedAt: number;
  private isRetired = false;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly opened: OpenedContext,
    private readonly account: UpstreamAccount,
    private readonly site: Site,
    private readonly earlier: EarlierPrompts,
  ) {
    const { context, launched } = opened;
    this.contextLogin = new ContextLogin(context, launched, account, site, earlier);
    this.release = launched.use();
    this.usedAt = site.clock.monotonic();
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
      const creating = launched.browser.createBrowserContext({
        ...boundary?.options,
        // Nobody wants the files that a site has a browser download, and Chrome would keep each connection or fill the disk.
        downloadBehavior: { policy: 'deny' },
      });
      const context = await inBrowser(launched, creating);
      const opened = { context, launched, boundary, refused };
      const own = new AccountContext(opened, account, site, earlier);
      await own.contextLogin.restore().catch(async (error: unknown) => {
        await own.close();
        throw error;
      });
      return own;
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
    return !this.isRetired && !this.opened.launched.isDraining && this.pagesOpened < contextPages && !isStale;
  }

  /** Whether the account was logged in again after this page was opened, so that the site refuses its requests. */
  isOutdated(page: ChatPage): boolean {
    return this.contextLogin.isOutdated(page);
  }

  /** The failure of a page of this context, with what its boundary knows of the cause. */
  explain(error: unknown): unknown {
    return withCause(error, this.opened.boundary);
  }

  /** A page with a new conversation on it, logged in if need be. */
  async openPage(signal: AbortSignal): Promise<ChatPage> {
    let page: ChatPage | undefined;
    try {
      page = await this.newPage();
      await this.contextLogin.land(page, signal);
      return page;
    } catch (error) {
      if (page) {
        await this.site.workbench?.pageFailed(page.guard);
      }
      const failure =
        page && error instanceof LoginRequiredError
          ? this.opened.refused.explain(await withEvidence(error, page.guard))
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
      await this.contextLogin.logInWith(page, logInOn, signal);
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
    if (page) {
      await this.contextLogin.keep(page, isGivenUp, this.closing !== undefined);
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
    this.closing ??= this.contextLogin.kept.then(() => this.dispose());
    return this.closing;
  }

  private async newPage(): Promise<ChatPage> {
    this.pagesOpened++;
    this.pagesOpen++;
    this.opened.launched.countPage();
    this.usedAt = this.site.clock.monotonic();
    const blank = await inBrowser(this.opened.launched, this.opened.context.newPage());
    const { account, earlier } = this;
    return ChatPage.create(blank, this.opened.launched, this.site, {
      account,
      values: this.values(),
      earlier,
    });
  }

  private values(): TemplateValues {
    return accountValues(this.site, this.account.credentials);
  }

  private async closeIfDone(): Promise<void> {
    if (this.pagesOpen === 0 && !this.takesPages) {
      await this.close();
    }
  }

  private async dispose(): Promise<void> {
    await inBrowser(this.opened.launched, this.opened.context.close()).catch(() => undefined);
    this.opened.boundary?.close();
    this.release();
    this.end.resolve();
  }
}
