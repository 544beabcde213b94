import { type Page } from 'puppeteer';
import { LoginRequiredError, UnavailableError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { OpenedWindows } from '../browser/opened-windows.js';
import { type AnswerCapture } from '../capture/answer-capture.js';
import { createCapture } from '../capture/create-capture.js';
import { type EarlierPrompts } from '../capture/earlier-prompts.js';
import { PageGuard } from '../page/page-guard.js';
import { PageSigns } from '../page/page-signs.js';
import { PageTraffic } from '../page/page-traffic.js';
import { RecipeRunner } from '../page/recipe-runner.js';
import { untilFound, untilTrue } from '../page/until-found.js';
import { type RecipeStep } from '../recipe/recipe-step.js';
import { type TemplateValues } from '../recipe/recipe-template.js';
import { type Site } from '../site.js';
import { withDeadline } from '../timing/deadline.js';

const CLOSE_TIMEOUT_MS = 1000;
const WAKE_TIMEOUT_MS = 3000;
const PAGE_TIMEOUT_MS = 10_000;
/** For the signs on a page with an error status, as of a challenge: its scripts may paint them. */
const ERROR_PAGE_MS = 3000;

/** Outcome of opening a new conversation: ready for a prompt, or a login is needed first. */
export type Landing = 'ready' | 'login';

/** The account of a page, and what its pages share. */
export interface PageAccount {
  readonly account: UpstreamAccount;
  /** Of the site and the account. */
  readonly values: TemplateValues;
  /** Prompts sent from other pages of the account. */
  readonly earlier: EarlierPrompts;
}

/** One page of an account: made for one conversation, closed after it. */
export class ChatPage {
  readonly signs: PageSigns;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly guard: PageGuard,
    private readonly site: Site,
    private readonly owner: PageAccount,
    readonly capture: AnswerCapture,
    readonly traffic: PageTraffic,
    /** The page itself, and every window that it opens. */
    private readonly windows: OpenedWindows,
  ) {
    this.signs = new PageSigns(guard, site.recipe.signs, owner.values, () => site.clock.now());
  }

  static async create(
    page: Page,
    browser: LaunchedBrowser,
    site: Site,
    owner: PageAccount,
  ): Promise<ChatPage> {
    const guard = new PageGuard(page, browser);
    const traffic = new PageTraffic(page, site.network, owner.account);
    acceptDialogs(page);
    let windows: OpenedWindows | undefined;
    const setUp = async (): Promise<ChatPage> => {
      const session = await page.createCDPSession();
      const { targetInfo } = await session.send('Target.getTargetInfo');
      const keepsWindows = site.recipe.windows === 'keep';
      windows = new OpenedWindows(browser.session, browser.gone, targetInfo.targetId, keepsWindows);
      // A full browser takes its pages for hidden otherwise, and hidden pages do not paint.
      await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
      // The capture of a page does not see the requests that a service worker sends on its behalf.
      await page.setBypassServiceWorker(true);
      const capture = await createCapture(guard, site, owner.values, traffic);
      return new ChatPage(guard, site, owner, capture, traffic, windows);
    };
    const prepared = setUp();
    try {
      return await guard.run(prepared, { timeoutMs: PAGE_TIMEOUT_MS, what: 'prepare the page' });
    } catch (error) {
      await withinCloseLimit(page.close());
      // It may get this far after its deadline only.
      void prepared.catch(() => undefined).then(() => windows?.close());
      throw error;
    }
  }

  /** See `PageAccount`. */
  get earlier(): EarlierPrompts {
    return this.owner.earlier;
  }

  /** Steps of the recipe on this page. `values` are added to those of the site and the account. */
  runner(signal?: AbortSignal, values: TemplateValues = {}): RecipeRunner {
    return new RecipeRunner(this.guard, { ...this.owner.values, ...values }, signal, this.site.workbench);
  }

  /** Opens a new conversation, or finds that the site wants a login first. */
  async openChat(signal: AbortSignal): Promise<Landing> {
    const { newChat } = this.site.recipe;
    await this.goto(newChat.url, newChat.timeoutMs, signal);
    if ((await this.land(signal)) === 'login') {
      return 'login';
    }
    await this.dismiss(signal);
    const runner = this.runner(signal);
    await runner.run(newChat.steps);
    await runner.run([waitFor(newChat.ready, newChat.timeoutMs)]);
    return 'ready';
  }

  /** Clicks away the banners and dialogs that the recipe names and that show now. */
  async dismiss(signal: AbortSignal): Promise<void> {
    const { dismiss, newChat } = this.site.recipe;
    for (const selector of dismiss) {
      await this.runner(signal).run([
        { action: 'click', selector, hidden: false, optional: true, timeoutMs: newChat.timeoutMs },
      ]);
    }
  }

  /** Opens a page of the site; a second time, which changes nothing there, if the site does not begin to answer. */
  private async goto(url: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { headMs } = this.site.limits;
    try {
      await this.visit(url, timeoutMs, headMs, signal);
    } catch (error) {
      if (signal.aborted || !this.guard.document.isAwaited) {
        throw error;
      }
      await this.stopLoading(signal);
      await this.visit(url, timeoutMs, 2 * headMs, signal);
    }
  }

  /**
   * Checks that a warm page is alive: on a frozen one each step of the prompt would run into its own deadline. Rejects
   * with an UpstreamError, or with the caller's reason.
   */
  wake(signal: AbortSignal): Promise<void> {
    return this.ping(WAKE_TIMEOUT_MS, signal);
  }

  /** Whether a prompt can be entered, now or after a moment. Rejects like `wake`. */
  async isReady(signal: AbortSignal): Promise<boolean> {
    const { ready } = this.site.recipe.newChat;
    const look = async (): Promise<boolean> =>
      this.capture.isConnected && (await this.signs.shows([{ selector: ready }]));
    return untilTrue(look, this.guard, WAKE_TIMEOUT_MS, signal);
  }

  /** Whether a warm page is alive; a page that is navigating right now is. Never rejects. */
  async isAlive(): Promise<boolean> {
    return this.ping(this.site.limits.lookLimitMs).then(
      () => true,
      (error: unknown) => error instanceof UnavailableError && error.fault === 'page_failed',
    );
  }

  /** Closes the page at once, without its consent. Never throws, may be called twice. */
  close(): Promise<void> {
    this.closing ??= this.shut();
    return this.closing;
  }

  private async visit(url: string, timeoutMs: number, headMs: number, signal: AbortSignal): Promise<void> {
    const { document } = this.guard;
    const late = new AbortController();
    const timer = setTimeout(() => document.isAwaited && late.abort(document.failure(`goto ${url}`)), headMs);
    try {
      await this.runner(AbortSignal.any([signal, late.signal])).run([
        { action: 'goto', url, optional: false, timeoutMs },
      ]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives up the request for the page: Chrome drops another one for the same address meanwhile. */
  private async stopLoading(signal: AbortSignal): Promise<void> {
    const stopping = this.guard.page.createCDPSession().then(async (session) => {
      await session.send('Page.stopLoading');
      await session.detach();
    });
    await this.guard.run(stopping, { timeoutMs: WAKE_TIMEOUT_MS, signal, what: 'stop the page' });
  }

  private async ping(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    await this.guard.run(this.guard.page.evaluate('0'), { timeoutMs, signal, what: 'wake the page' });
  }

  private async shut(): Promise<void> {
    const { gone, page } = this.guard;
    await Promise.all([
      withinCloseLimit(this.windows.close()),
      // Puppeteer's own books, which end the notes on the page's traffic.
      gone.aborted ? undefined : withinCloseLimit(page.close({ runBeforeUnload: false })),
    ]);
  }

  /** Waits for the first of: the chat, the login wall, a challenge, another sign. */
  private async land(signal: AbortSignal): Promise<Landing> {
    const { document } = this.guard;
    const { timeoutMs } = this.site.recipe.newChat;
    const limitMs = document.isErrorPage ? Math.min(timeoutMs, ERROR_PAGE_MS) : timeoutMs;
    const landing = await untilFound(() => this.look(), this.guard, limitMs, signal);
    if (!landing) {
      const what = 'open a new chat';
      throw (
        document.failure(what) ??
        new UnavailableError('page_timeout', 'The page of a new chat does not open.')
      );
    }
    return landing;
  }

  private async look(): Promise<Landing | undefined> {
    if (await this.signs.isLoginWall()) {
      return 'login';
    }
    const error = await this.signs.error();
    // The wall may come up between the two looks.
    if (error instanceof LoginRequiredError && error.fault === 'login_wall') {
      return 'login';
    }
    if (error) {
      throw error;
    }
    const { landed, ready, steps } = this.site.recipe.newChat;
    const [first] = steps.flatMap((step) => ('selector' in step && step.selector ? [step.selector] : []));
    const signs = landed === undefined ? [ready, ...(first === undefined ? [] : [first])] : [landed];
    return (await this.signs.shows(signs.map((selector) => ({ selector })))) ? 'ready' : undefined;
  }
}

/**
 * Accepts the dialogs of a page and of the windows that it opens: sites ask before a page is left, there is never
 * anything to keep, and a dialog in a window halts the page that shares its process.
 */
function acceptDialogs(page: Page): void {
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  page.on('popup', (popup) => popup && acceptDialogs(popup));
}

/** Waits for the end of a page, but no longer than `CLOSE_TIMEOUT_MS`. Never rejects. */
async function withinCloseLimit(closing: Promise<void>): Promise<void> {
  await withDeadline(closing, CLOSE_TIMEOUT_MS, () => new Error('close')).catch(() => undefined);
}

function waitFor(selector: string, timeoutMs: number): RecipeStep {
  return { action: 'waitFor', selector, gone: false, optional: false, timeoutMs };
}
