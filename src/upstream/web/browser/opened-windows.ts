import { type CDPSession, type Protocol } from 'puppeteer';

/**
 * A page and the windows that it opens, that these open, and so on; all of them are closed together. Windows opened
 * with `noopener` and from frames count, too.
 *
 * Read from the browser's own reports: it names a window's opener when it creates the window, and reports every window
 * of a page before the end of that page. Puppeteer reports a window only once its first response has come, and only
 * while the opener still lives, so that a window whose server answers late would stay open for good.
 */
export class OpenedWindows {
  /** Target ids of the page and of all its windows; closed ones stay, since one that is open may name them as opener. */
  private readonly family: Set<string>;
  private readonly open: Set<string>;
  private readonly end = Promise.withResolvers<void>();
  private isClosing = false;

  /**
   * @param session of the browser, with the discovery of targets switched on
   * @param gone aborted once the browser has ended
   * @param pageId target id of the page, which has loaded nothing yet
   * @param keepsWindows whether windows stay open beside the page; else each is closed as soon as it is known
   */
  constructor(
    private readonly session: CDPSession,
    private readonly gone: AbortSignal,
    pageId: string,
    private readonly keepsWindows: boolean,
  ) {
    this.family = new Set([pageId]);
    this.open = new Set([pageId]);
    gone.addEventListener('abort', this.stop, { once: true });
    session.on('Target.targetCreated', this.onCreated);
    session.on('Target.targetDestroyed', this.onDestroyed);
  }

  /**
   * Closes the page and its windows without their consent. Resolves when none of them is left or the browser is gone,
   * which a browser that hangs may put off; until then, a window that turns up late is closed, too. Never rejects, may
   * be called twice.
   */
  close(): Promise<void> {
    if (!this.isClosing) {
      this.isClosing = true;
      this.open.forEach((targetId) => this.closeTarget(targetId));
      this.endIfEmpty();
    }
    return this.end.promise;
  }

  private readonly onCreated = ({ targetInfo }: Protocol.Target.TargetCreatedEvent): void => {
    const { targetId, openerId } = targetInfo;
    if (openerId === undefined || !this.family.has(openerId)) {
      return;
    }
    this.family.add(targetId);
    this.open.add(targetId);
    if (this.isClosing || !this.keepsWindows) {
      this.closeTarget(targetId);
    }
  };

  private readonly onDestroyed = ({ targetId }: Protocol.Target.TargetDestroyedEvent): void => {
    if (this.open.delete(targetId)) {
      this.endIfEmpty();
    }
  };

  /** An end that fails shows by the target's report, or by the browser's end. */
  private closeTarget(targetId: string): void {
    this.session.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }

  private endIfEmpty(): void {
    if (this.isClosing && this.open.size === 0) {
      this.stop();
    }
  }

  private readonly stop = (): void => {
    this.session.off('Target.targetCreated', this.onCreated);
    this.session.off('Target.targetDestroyed', this.onDestroyed);
    this.gone.removeEventListener('abort', this.stop);
    this.end.resolve();
  };
}
