import { type HTTPRequest } from 'puppeteer';
import { queryOf } from '../capture/outgoing-prompt.js';
import { checkPrompt } from '../capture/prompt-check.js';
import { type PageGuard } from '../page/page-guard.js';

const READ_TIMEOUT_MS = 3000;
/** Types of requests without a body that may carry a prompt in their query; those for the page's files are many. */
const CARRIERS: ReadonlySet<string> = new Set(['xhr', 'fetch', 'eventsource', 'document']);

/** Follows a page's requests from the moment the prompt is entered, to tell whether it was sent. */
export class PromptDeparture {
  private readonly open = new Set<HTTPRequest>();
  private readonly unread = new Set<HTTPRequest>();
  private found: string | undefined;

  /** @param text text that was entered into the page */
  constructor(
    private readonly guard: PageGuard,
    private readonly text: string,
  ) {
    const { page } = guard;
    page.on('request', this.onRequest);
    page.on('requestfinished', this.onEnd);
    page.on('requestfailed', this.onEnd);
  }

  /** Whether a request of the page with a body is unanswered, so that one for the answer may follow. */
  get isOpen(): boolean {
    return this.open.size > 0;
  }

  /** The request that carried the prompt, as far as `hasLeft` has found one, e.g. `POST https://chat.example/send`. */
  get carrier(): string | undefined {
    return this.found;
  }

  /** Whether a request carried the prompt. */
  async hasLeft(): Promise<boolean> {
    for (const request of this.unread) {
      this.unread.delete(request);
      if (checkPrompt(await this.textOf(request), this.text) !== 'missing') {
        // A query may carry tokens.
        this.found ??= `${request.method()} ${request.url().split(/[?#]/, 1)[0] ?? ''}`;
      }
    }
    return this.found !== undefined;
  }

  stop(): void {
    const { page } = this.guard;
    page.off('request', this.onRequest);
    page.off('requestfinished', this.onEnd);
    page.off('requestfailed', this.onEnd);
  }

  private readonly onRequest = (request: HTTPRequest): void => {
    if (request.hasPostData()) {
      this.open.add(request);
      this.unread.add(request);
    } else if (CARRIERS.has(request.resourceType()) && queryOf(request.url()) !== '') {
      this.unread.add(request);
    }
  };

  private readonly onEnd = (request: HTTPRequest): void => {
    this.open.delete(request);
  };

  /** The request's body, fetched where it was too long for the browser's report; the query of one without. */
  private async textOf(request: HTTPRequest): Promise<string> {
    if (!request.hasPostData()) {
      return queryOf(request.url());
    }
    const fetched = async (): Promise<string> => request.postData() ?? (await request.fetchPostData()) ?? '';
    return this.guard.run(fetched(), { timeoutMs: READ_TIMEOUT_MS, what: 'read a request' }).catch(() => '');
  }
}
