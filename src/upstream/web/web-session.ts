import { Observable } from 'rxjs';
import { untilAborted } from '../../common/time/until-aborted.js';
import { LoginReplacedError, LoginRequiredError, UnavailableError } from '../upstream.errors.js';
import {
  type SendContext,
  type UpstreamAccount,
  type UpstreamBatch,
  type UpstreamRequest,
  UpstreamSession,
} from '../upstream-driver.js';
import { type AccountContexts, isLost, type WarmPage } from './account/account-contexts.js';
import { type AskedPrompt } from './conversation/control-question.js';
import { Conversation } from './conversation/conversation.js';
import { withEvidence } from './page/page-evidence.js';
import { mayBeOfLogin, withBlame } from './refused-prompt.js';
import { type Site } from './site.js';

/** A conversation slot of an account: keeps one page ready, uses it for one prompt, closes it, prepares the next. */
export class WebSession extends UpstreamSession {
  private readonly control = new AbortController();
  private readonly closingPages = new Set<Promise<void>>();
  private warm: Promise<WarmPage>;
  private ready: WarmPage | undefined;
  private hasFailed = false;
  private isLooking = false;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly account: UpstreamAccount,
    private readonly contexts: AccountContexts,
    private readonly site: Site,
    private readonly onSilence: () => void,
  ) {
    super();
    this.warm = this.prepare();
    this.timer = setInterval(() => void this.lookAfterWarm(), site.limits.lookEveryMs).unref();
  }

  /** @param onSilence called when a page or its site fell silent; the supervisor then checks the browser at once */
  static async open(
    account: UpstreamAccount,
    contexts: AccountContexts,
    site: Site,
    onSilence: () => void,
    signal: AbortSignal,
  ): Promise<WebSession> {
    const session = new WebSession(account, contexts, site, onSilence);
    try {
      await untilAborted(session.warm, signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get isUsable(): boolean {
    const { ready } = this;
    return !this.hasFailed && !this.control.signal.aborted && !(ready && isLost(ready));
  }

  override get isReady(): boolean {
    return this.ready !== undefined;
  }

  send(request: UpstreamRequest, context: SendContext): Observable<UpstreamBatch> {
    return new Observable((subscriber) => {
      const left = new AbortController();
      const signal = AbortSignal.any([context.signal, this.control.signal, left.signal]);
      let isAnswered = false;
      const emit = (batch: UpstreamBatch): void => {
        isAnswered ||= batch.at(-1)?.type === 'done';
        subscriber.next(batch);
      };
      this.converse(request, { ...context, signal }, emit).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => {
        // With a whole answer callers leave at once; the conversation still has to be cleaned up.
        if (!isAnswered) {
          left.abort(new Error('The caller left.'));
        }
      };
    });
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    if (!this.control.signal.aborted) {
      this.control.abort(new UnavailableError('session_closed', 'The session was closed.'));
    }
    const unused = await this.warm.catch(() => undefined);
    if (unused && unused === this.ready) {
      this.dismiss(unused, undefined, true);
    }
    await Promise.all(this.closingPages);
  }

  private async converse(
    request: UpstreamRequest,
    context: SendContext,
    emit: (batch: UpstreamBatch) => void,
  ): Promise<void> {
    const { signal } = context;
    const turn = Promise.withResolvers<void>();
    const taken = this.takeWarm(turn.promise).then((warm) => this.readyPage(warm, signal));
    const on = ({ page }: WarmPage): Conversation =>
      new Conversation(page, this.site, request, context, emit);
    let conversation: Conversation | undefined;
    try {
      const used = await untilAborted(taken, signal);
      conversation = on(used);
      const { account, site } = this;
      const asked = { account, site, request, context, showLife: () => emit([]) };
      const fresh = await this.hold(conversation, used, asked);
      if (fresh) {
        // The site has refused the prompt of the first conversation.
        conversation = undefined;
        const second = on(fresh);
        await this.hold(second, fresh, { ...asked, isRepeated: true }).finally(() =>
          this.dismiss(fresh, second.cleanUp(this.account.name)),
        );
      }
    } finally {
      const cleanedUp = conversation?.cleanUp(this.account.name);
      taken.then((page) => this.dismiss(page, cleanedUp)).catch(() => undefined);
      turn.resolve();
    }
  }

  /**
   * Holds the conversation. If the site refused its prompt since it has forgotten the login, the outcome is a new page,
   * for which the account was logged in again.
   * @param asked if it is repeated already, a lost login is an error
   */
  private async hold(
    conversation: Conversation,
    used: WarmPage,
    asked: AskedPrompt,
  ): Promise<WarmPage | undefined> {
    try {
      await conversation.hold();
      return undefined;
    } catch (error) {
      const isForgotten =
        error instanceof LoginRequiredError && error.fault === 'login_wall' && !conversation.isAccepted;
      const fresh = isForgotten && !asked.isRepeated ? await this.logInAgain(used, asked.context) : undefined;
      if (!fresh) {
        const failure = await withBlame(error, used, asked, {
          open: () => this.contexts.openPage(this.account, asked.context.signal),
          dismiss: (...page) => this.dismiss(...page),
        });
        throw await this.explain(failure, used, conversation);
      }
      return fresh;
    }
  }

  /**
   * A new page, if a login was needed for it, since the site may refuse a prompt for other reasons; and if the prompt may
   * be sent once more.
   */
  private async logInAgain(
    { page, context }: WarmPage,
    { signal, mayRepeat = () => true }: SendContext,
  ): Promise<WarmPage | undefined> {
    if (context.isOutdated(page)) {
      return undefined;
    }
    const fresh = await this.contexts.openPage(this.account, signal).catch(() => undefined);
    if (!fresh || (context.isOutdated(page) && mayRepeat())) {
      return fresh;
    }
    this.dismiss(fresh);
    return undefined;
  }

  /**
   * The warm page, for this turn only. Its successor is queued at once, though it is opened only after the turn: the
   * slot may get its next prompt as soon as an answer is complete, before the used page is closed.
   */
  private takeWarm(over: Promise<void>): Promise<WarmPage> {
    const taken = this.warm;
    this.ready = undefined;
    this.warm = this.prepare(over);
    return taken;
  }

  /** The warm page; a new one if it takes no prompt any more, since it lost its login or its connection meanwhile. */
  private async readyPage(warm: WarmPage, signal: AbortSignal): Promise<WarmPage> {
    try {
      await warm.page.wake(signal);
      if (await warm.page.isReady(signal)) {
        return warm;
      }
    } catch (error) {
      this.dismiss(warm);
      throw await this.explain(error, warm);
    }
    this.dismiss(warm);
    return this.contexts.openPage(this.account, signal).catch((error: unknown) => {
      this.hasFailed ||= error instanceof LoginRequiredError;
      throw error;
    });
  }

  /**
   * Checks the warm page, which may wait for hours: a frozen page must not be found by the next prompt. A warm page in a
   * retiring context is replaced now; otherwise the context could not close until some prompt had used that page.
   */
  private async lookAfterWarm(): Promise<void> {
    const { ready } = this;
    if (this.isLooking || !ready) {
      return;
    }
    this.isLooking = true;
    if (!(await ready.page.isAlive())) {
      this.hasFailed ||= this.ready === ready;
    } else if (!ready.context.takesPages) {
      await this.replaceWarm(ready);
    }
    this.isLooking = false;
  }

  private async replaceWarm(old: WarmPage): Promise<void> {
    let fresh: WarmPage;
    try {
      fresh = await this.contexts.openPage(this.account, this.control.signal);
    } catch (error) {
      // The old page stays in service, but a site that refuses the account must not be asked again and again.
      this.hasFailed ||= error instanceof LoginRequiredError;
      return;
    }
    if (this.ready !== old || this.control.signal.aborted) {
      this.dismiss(fresh);
      return;
    }
    this.ready = fresh;
    this.warm = Promise.resolve(fresh);
    this.dismiss(old);
  }

  private async explain(
    error: unknown,
    { page, context }: WarmPage,
    conversation?: Conversation,
  ): Promise<unknown> {
    const isOld = !conversation?.isAccepted && !page.guard.gone.aborted && context.isOutdated(page);
    if (isOld && mayBeOfLogin(error)) {
      return new LoginReplacedError(error);
    }
    if (error instanceof LoginRequiredError) {
      this.hasFailed = true;
      // A conversation, and its title, show the prompts of callers.
      return withEvidence(error, page.guard, { keepsTexts: this.site.settings.LOG_CONTENT !== 'none' });
    }
    if (error instanceof UnavailableError) {
      this.onSilence();
    } else {
      await conversation?.stop();
    }
    return conversation?.isAccepted ? error : context.explain(error);
  }

  private prepare(after: Promise<void> = Promise.resolve()): Promise<WarmPage> {
    const { signal } = this.control;
    const warm = after.then(() => {
      signal.throwIfAborted();
      if (this.hasFailed) {
        throw new UnavailableError('session_closed', 'The account of this session must be logged in again.');
      }
      return this.contexts.openPage(this.account, signal);
    });
    warm.then(
      (page) => {
        // A prompt may have taken this page while it was being opened.
        if (this.warm === warm) {
          this.ready = page;
        }
      },
      () => (this.hasFailed = true),
    );
    return warm;
  }

  /** Closes a page in the background, after what is still to be done with it. */
  private dismiss({ page, context }: WarmPage, after?: Promise<void>, isGivenUp = false): void {
    const close = (): Promise<void> => context.closePage(page, isGivenUp);
    const closing = (after?.then(close) ?? close()).finally(() => this.closingPages.delete(closing));
    this.closingPages.add(closing);
  }
}
