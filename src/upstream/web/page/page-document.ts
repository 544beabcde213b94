import { type HTTPRequest, type Page } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';

/** Errors of Chrome on the way to a site; the others are about what came from it. */
const NO_CONNECTION =
  /net::ERR_(?:ADDRESS|CERT|CONNECTION|EMPTY_RESPONSE|HTTP2|NAME|NETWORK|PROXY|SOCKET|SSL|TIMED_OUT|TUNNEL)/;

/** Types of requests by which a page's own code sends a form. */
const SCRIPTED: ReadonlySet<string> = new Set(['xhr', 'fetch']);

/**
 * Fate of the latest request for a page's own document, and of the latest form that its code sent to the same site:
 * without an answer to them, the recipe is not to blame.
 */
export class PageDocument {
  private readonly latest = new RequestFate();
  private readonly form = new RequestFate();

  constructor(page: Page) {
    page.on('request', (request) => {
      if (request.frame() !== page.mainFrame()) {
        return;
      }
      if (request.isNavigationRequest()) {
        this.latest.begin(request);
        this.form.forget();
      } else if (isForm(request, page.url())) {
        this.form.begin(request);
      }
    });
    const fates = [this.latest, this.form];
    page.on('response', (response) =>
      fates.forEach((fate) => fate.note(response.request(), { status: response.status() })),
    );
    page.on('requestfailed', (request) =>
      fates.forEach((fate) => fate.note(request, { errorText: request.failure()?.errorText ?? '' })),
    );
  }

  /** Whether the site has not begun to answer. */
  get isAwaited(): boolean {
    return this.latest.isAwaited;
  }

  /** Whether the site answered with an error of its own, with or without a page for it. */
  get isErrorPage(): boolean {
    return this.latest.isServerError;
  }

  /**
   * The failure of something done with the page, if the site has not sent it.
   * @param what was done
   * @param errorText as Chrome told, where it did
   */
  failure(what: string, errorText?: string): UnavailableError | undefined {
    return (
      this.latest.failure(what, errorText) ??
      (this.isAwaited ? new UnavailableError('site_silent', `${what}: the site does not answer.`) : undefined)
    );
  }

  /** As `failure`, and also if the site has not taken the form. One that it is slow to answer is no failure. */
  formFailure(what: string): UnavailableError | undefined {
    return this.failure(what) ?? this.form.failure(what);
  }
}

/** What became of the latest request of its kind. */
class RequestFate {
  private request: HTTPRequest | undefined;
  private awaited = false;
  private status = 0;
  private errorText = '';

  /** Whether there is no answer and no error yet. */
  get isAwaited(): boolean {
    return this.awaited;
  }

  get isServerError(): boolean {
    return this.status >= 500;
  }

  begin(request: HTTPRequest): void {
    Object.assign(this, { request, awaited: true, status: 0, errorText: '' });
  }

  forget(): void {
    Object.assign(this, { request: undefined, awaited: false, status: 0, errorText: '' });
  }

  /** What became of a request, if it is the latest one. A failure that follows an answer leaves its status. */
  note(request: HTTPRequest, change: { status?: number; errorText?: string }): void {
    if (request === this.request) {
      Object.assign(this, { awaited: false, ...change });
    }
  }

  failure(what: string, errorText = this.errorText): UnavailableError | undefined {
    if (this.isServerError) {
      return new UnavailableError(
        `upstream_status_${this.status}`,
        `${what}: the site answered with status ${this.status}.`,
      );
    }
    return NO_CONNECTION.test(errorText)
      ? new UnavailableError('connect_failed', `${what}: ${errorText}`)
      : undefined;
  }
}

/** Other origins may be refused to the page, which says nothing of the site. */
function isForm(request: HTTPRequest, pageUrl: string): boolean {
  return (
    request.method() !== 'GET' &&
    SCRIPTED.has(request.resourceType()) &&
    URL.parse(request.url())?.origin === URL.parse(pageUrl)?.origin
  );
}
