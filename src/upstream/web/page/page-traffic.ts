import { type HTTPRequest, type Page } from 'puppeteer';
import { type NetworkExchange, type NetworkLog } from '../../../common/network/network-log.js';
import { secretsOf } from '../../credential-secrets.js';
import { type UpstreamAccount } from '../../upstream-driver.js';

/** Resource types that are logged; pictures, styles and scripts are left out. */
const KINDS: ReadonlySet<string> = new Set(['document', 'xhr', 'fetch', 'eventsource']);
const BODY_KINDS: ReadonlySet<string> = new Set(['xhr', 'fetch']);
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|x-ndjson|jsonl))/i;
/** Beginning of the URL fragment that marks requests which the driver sends in place of the page's own. */
export const OWN_FRAGMENT = 'replay-';
const PAGE_CLOSED = 'The page was closed.';

/** A request as the browser's protocol describes it. */
interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Logs the traffic of one page with its site. Bodies are logged only while the page serves a request, so those of logins
 * are never read. Costs no messages: it uses the events that the browser sends anyway.
 */
export class PageTraffic {
  /** Id of the caller's request that the page serves; undefined while the page is prepared. */
  requestId: string | undefined;
  private readonly open = new Map<HTTPRequest, NetworkExchange>();
  private readonly adopted = new Set<NetworkExchange>();
  /** Method and URL of requests that were adopted before the browser reported them. */
  private readonly expected = new Set<string>();
  private readonly secrets: readonly string[];

  constructor(
    page: Page,
    private readonly log: NetworkLog,
    private readonly account: UpstreamAccount,
  ) {
    this.secrets = secretsOf(account.credentials);
    page.on('request', (request) => this.onRequest(request));
    page.on('response', (response) =>
      this.open.get(response.request())?.head(response.status(), response.headers()),
    );
    page.on('requestfinished', (request) => void this.onFinished(request));
    page.on('requestfailed', (request) => this.onFailed(request));
    page.once('close', () => this.close());
  }

  /** Hands a request of the page over to the caller, who reports its response from here on. */
  adopt({ method, url, headers }: SentRequest, body: string): NetworkExchange {
    for (const [request, exchange] of this.open) {
      if (request.method() === method && request.url() === url) {
        this.open.delete(request);
        exchange.sent(body);
        return this.keep(exchange);
      }
    }
    this.expected.add(`${method} ${url}`);
    return this.begin(method, url, headers, body);
  }

  /** An exchange that the browser reports by other events, such as that of a socket. */
  begin(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): NetworkExchange {
    return this.keep(this.note(method, url, headers, body));
  }

  private onRequest(request: HTTPRequest): void {
    const url = request.url();
    const isNoted = KINDS.has(request.resourceType()) && /^https?:/.test(url);
    const method = request.method();
    if (isNoted && !url.includes(`#${OWN_FRAGMENT}`) && !this.expected.delete(`${method} ${url}`)) {
      this.open.set(request, this.note(method, url, request.headers(), request.postData()));
    }
  }

  private async onFinished(request: HTTPRequest): Promise<void> {
    const exchange = this.open.get(request);
    if (!exchange) {
      return;
    }
    const response = request.response();
    const { 'content-type': type = '', 'content-length': length = '0' } = response?.headers() ?? {};
    const isRead = this.keepsBodies && BODY_KINDS.has(request.resourceType()) && TEXT_TYPE.test(type);
    const body = isRead ? await response?.text().catch(() => undefined) : undefined;
    if (body === undefined) {
      exchange.data(Number(length) || 0, '');
    } else {
      exchange.data(Buffer.byteLength(body), body);
    }
    if (this.open.delete(request)) {
      exchange.end();
    }
  }

  private onFailed(request: HTTPRequest): void {
    const exchange = this.open.get(request);
    this.open.delete(request);
    exchange?.end(request.failure()?.errorText ?? 'It failed.');
  }

  private get keepsBodies(): boolean {
    return this.requestId !== undefined && this.log.bodyLimit > 0;
  }

  private note(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): NetworkExchange {
    return this.log.begin({
      requestId: this.requestId,
      account: this.account.name,
      method,
      // A query may hold the prompt.
      url: this.requestId === undefined || this.keepsBodies ? url : (url.split('?', 1)[0] ?? ''),
      headers,
      body: this.keepsBodies ? body : undefined,
      bytes: body === undefined ? undefined : Buffer.byteLength(body),
      secrets: this.secrets,
    });
  }

  private keep(exchange: NetworkExchange): NetworkExchange {
    this.adopted.add(exchange);
    return exchange;
  }

  private close(): void {
    for (const exchange of [...this.open.values(), ...this.adopted]) {
      exchange.end(PAGE_CLOSED);
    }
    this.open.clear();
    this.adopted.clear();
  }
}
