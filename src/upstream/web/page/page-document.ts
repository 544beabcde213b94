import { type HTTPRequest, type Page } from 'puppeteer';
import { UnavailableError } from '../../upstream.errors.js';

/** Errors of Chrome on the way to a site; the others are about what came from it. */
const NO_CONNECTION =
  /net::ERR_(?:ADDRESS|CERT|CONNECTION|EMPTY_RESPONSE|HTTP2|NAME|NETWORK|PROXY|SOCKET|SSL|TIMED_OUT|TUNNEL)/;

/** Fate of the latest request for a page's own document: without an answer to it, the recipe is not to blame. */
export class PageDocument {
  private latest: HTTPRequest | undefined;
  private awaited = false;
  private status = 0;
  private errorText = '';

  constructor(page: Page) {
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        this.latest = request;
        this.note(request, { awaited: true });
      }
    });
    page.on('response', (response) => this.note(response.request(), { status: response.status() }));
    page.on('requestfailed', (request) => this.note(request, { errorText: request.failure()?.errorText }));
  }

  /** Whether the site has not begun to answer. */
  get isAwaited(): boolean {
    return this.awaited;
  }

  /** Whether the site answered with an error of its own, with or without a page for it. */
  get isErrorPage(): boolean {
    return this.status >= 500;
  }

  /**
   * The failure of something done with the page, if the site has not sent it.
   * @param what was done
   * @param errorText as Chrome told, where it did
   */
  failure(what: string, errorText = this.errorText): UnavailableError | undefined {
    if (this.isErrorPage) {
      return new UnavailableError(
        `upstream_status_${this.status}`,
        `${what}: the site answered with status ${this.status}.`,
      );
    }
    if (NO_CONNECTION.test(errorText)) {
      return new UnavailableError('connect_failed', `${what}: ${errorText}`);
    }
    return this.awaited
      ? new UnavailableError('site_silent', `${what}: the site does not answer.`)
      : undefined;
  }

  private note(
    request: HTTPRequest,
    {
      awaited = false,
      status = 0,
      errorText = '',
    }: { awaited?: boolean; status?: number; errorText?: string | undefined },
  ): void {
    if (request === this.latest) {
      Object.assign(this, { awaited, status, errorText });
    }
  }
}
