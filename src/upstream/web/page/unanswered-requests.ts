import { type HTTPRequest, type HTTPResponse, type Page } from 'puppeteer';

/** The requests that a page has begun from a moment on and that the site has not answered: closing the page takes them back. */
export class UnansweredRequests {
  private readonly open = new Set<HTTPRequest>();
  private readonly none = Promise.withResolvers<void>();
  private isAwaited = false;

  constructor(private readonly page: Page) {
    page.on('request', this.onRequest);
    page.on('response', this.onResponse);
    page.on('requestfailed', this.onEnd);
  }

  /** Resolves once there is none. Rejects if the page is closed. */
  async answered(): Promise<void> {
    // The browser tells of what the page has begun before it answers this.
    await this.page.evaluate('0');
    this.isAwaited = true;
    this.look();
    await this.none.promise;
  }

  stop(): void {
    this.page.off('request', this.onRequest);
    this.page.off('response', this.onResponse);
    this.page.off('requestfailed', this.onEnd);
  }

  private readonly onRequest = (request: HTTPRequest): void => {
    this.open.add(request);
  };

  private readonly onResponse = (response: HTTPResponse): void => this.onEnd(response.request());

  private readonly onEnd = (request: HTTPRequest): void => {
    this.open.delete(request);
    this.look();
  };

  private look(): void {
    if (this.isAwaited && this.open.size === 0) {
      this.none.resolve();
    }
  }
}
