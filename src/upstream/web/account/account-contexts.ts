import { setImmediate as immediate } from 'node:timers/promises';
import { untilAborted } from '../../../common/time/until-aborted.js';
import { UnavailableError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type BrowserFleet } from '../browser/browser-fleet.js';
import { EarlierPrompts } from '../capture/earlier-prompts.js';
import { type ChatPage } from '../conversation/chat-page.js';
import { type Site } from '../site.js';
import { AccountContext } from './account-context.js';

/** Accounts whose prompts are remembered after their context is closed; the one opened longest ago is forgotten first. */
const MAX_REMEMBERED = 1000;

/** A page together with the context it belongs to. */
export interface WarmPage {
  readonly page: ChatPage;
  readonly context: AccountContext;
}

/** Whether a warm page can no longer serve a prompt. */
export function isLost({ page, context }: WarmPage): boolean {
  return page.guard.gone.aborted || context.isOutdated(page);
}

/** The current browser context of each account. */
export class AccountContexts {
  private readonly current = new Map<string, Promise<AccountContext>>();
  private readonly earlier = new Map<string, EarlierPrompts>();
  private readonly retiring = new Set<AccountContext>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly fleet: Pick<BrowserFleet, 'browser'>,
    private readonly site: Site,
  ) {}

  /** Opens a page of the account with a new conversation. Rejects with an UpstreamError or the abort reason. */
  async openPage(account: UpstreamAccount, signal: AbortSignal): Promise<WarmPage> {
    const context = await untilAborted(this.contextOf(account, signal), signal);
    return { page: await context.openPage(signal), context };
  }

  /** Closes everything of an account. */
  async forget(accountId: string): Promise<void> {
    const opening = this.current.get(accountId);
    // Before the wait: another context may be opened meanwhile.
    this.current.delete(accountId);
    const context = await opening?.catch(() => undefined);
    // Sessions that were closed just before this call read the login state from their last pages first.
    await immediate();
    await context?.close();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.current.keys()].map((accountId) => this.forget(accountId)));
    await Promise.all([...this.retiring].map((context) => context.close()));
  }

  private async contextOf(account: UpstreamAccount, signal: AbortSignal): Promise<AccountContext> {
    const known = this.current.get(account.id);
    const context = await known?.catch(() => undefined);
    if (context && context.login > account.login) {
      throw new UnavailableError('session_closed', 'The account has a later login.');
    }
    if (context?.takesPages && context.login === account.login) {
      return context;
    }
    // The account may be forgotten by now, and a context opened for a caller that left would never be closed.
    signal.throwIfAborted();
    // The first of several concurrent callers replaces the context; the others find the new one.
    if (this.current.get(account.id) === known) {
      this.current.set(account.id, this.open(account));
      if (context) {
        this.retire(context);
      }
    }
    return this.current.get(account.id) ?? this.contextOf(account, signal);
  }

  private async open(account: UpstreamAccount): Promise<AccountContext> {
    this.timer ??= setInterval(() => void this.sweep(), this.site.limits.lookEveryMs);
    const browser = await this.fleet.browser(account.id);
    return AccountContext.open(browser, account, this.site, this.earlierOf(account.id));
  }

  private earlierOf(accountId: string): EarlierPrompts {
    const earlier = this.earlier.get(accountId) ?? new EarlierPrompts();
    this.earlier.delete(accountId);
    this.earlier.set(accountId, earlier);
    if (this.earlier.size > MAX_REMEMBERED) {
      const [oldest = ''] = this.earlier.keys();
      this.earlier.delete(oldest);
    }
    return earlier;
  }

  /** Retires idle contexts, which would keep a draining browser alive. */
  private async sweep(): Promise<void> {
    for (const [accountId, opening] of this.current) {
      const context = await opening.catch(() => undefined);
      if (context && !context.takesPages && this.current.get(accountId) === opening) {
        this.current.delete(accountId);
        this.retire(context);
      }
    }
  }

  private retire(context: AccountContext): void {
    this.retiring.add(context);
    void context.closed.then(() => this.retiring.delete(context));
    void context.retire();
  }
}
