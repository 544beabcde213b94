import { type Page, TimeoutError } from 'puppeteer';
import { untilAborted } from '../../../common/time/until-aborted.js';
import { UnavailableError, UpstreamError } from '../../upstream.errors.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { withDeadline } from '../timing/deadline.js';
import { PageDocument } from './page-document.js';

export interface OperationLimits {
  /** None by default: the caller then limits the time by other means. */
  readonly timeoutMs?: number;
  /** The caller's abort; its reason rejects the operation. */
  readonly signal?: AbortSignal;
  /** For messages, e.g. `click #send`. */
  readonly what: string;
}

/**
 * Races everything done with a page against the four ways it can end: the page crashes, the browser goes, the time is
 * over, the caller leaves. Needed because a killed renderer leaves `page.evaluate` pending for minutes.
 */
export class PageGuard {
  readonly document: PageDocument;
  private readonly control = new AbortController();

  constructor(
    readonly page: Page,
    browser: LaunchedBrowser,
  ) {
    this.document = new PageDocument(page);
    page.once('error', () => this.fail(new UnavailableError('page_crashed', 'The page crashed.')));
    page.once('close', () => this.fail(new UnavailableError('page_closed', 'The page was closed.')));
    const onGone = (): void => this.fail(browser.gone.reason as Error);
    if (browser.gone.aborted) {
      onGone();
    }
    browser.gone.addEventListener('abort', onGone, { once: true, signal: this.control.signal });
  }

  /** Aborted, with an UnavailableError as its reason, once the page has crashed, was closed or lost its browser. */
  get gone(): AbortSignal {
    return this.control.signal;
  }

  /** The operation's outcome; rejects with an UpstreamError, or with the caller's reason. */
  async run<T>(operation: Promise<T>, { timeoutMs, signal, what }: OperationLimits): Promise<T> {
    const ends = signal ? AbortSignal.any([this.gone, signal]) : this.gone;
    try {
      const guarded = untilAborted(operation, ends);
      return timeoutMs === undefined
        ? await guarded
        : await withDeadline(guarded, timeoutMs, () => this.timeoutError(what));
    } catch (error) {
      throw this.translate(error, what, signal);
    }
  }

  private translate(error: unknown, what: string, signal?: AbortSignal): unknown {
    if (signal?.aborted) {
      return signal.reason;
    }
    if (this.gone.aborted) {
      return this.gone.reason;
    }
    if (error instanceof UpstreamError) {
      return error;
    }
    if (error instanceof TimeoutError) {
      return this.timeoutError(what);
    }
    const message = error instanceof Error ? error.message : String(error);
    const isOfBrowser = message.includes('net::ERR_');
    return (
      (isOfBrowser && this.document.failure(what, message)) ||
      new UnavailableError('page_failed', `${what}: ${message}`, { cause: error })
    );
  }

  private timeoutError(what: string): UnavailableError {
    return this.document.failure(what) ?? new UnavailableError('page_timeout', `${what}: not done in time.`);
  }

  private fail(reason: Error): void {
    if (!this.gone.aborted) {
      this.control.abort(reason);
    }
  }
}
