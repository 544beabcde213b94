import { type Browser } from 'puppeteer';
import { type BrowserEndpoint, endpointName } from '../../../common/config/browser-endpoints.js';
import { untilAborted } from '../../../common/time/until-aborted.js';
import { RateLimitedError, UnavailableError } from '../../upstream.errors.js';
import { type PageRules } from './boundary/egress-policy.js';
import { type BrowserConnector } from './browser-connector.js';
import { type LaunchedBrowser } from './launched-browser.js';
import { findChromium } from './remote/chromium-address.js';
import { type RemoteAddress } from './remote/remote-address.js';
import { SeleniumGrid } from './remote/selenium-grid.js';
import { SocketTransport } from './remote/socket-transport.js';

const FULL_RETRY_MS = 5000;
/** Status of a refusal in the messages of `askJson` and of `ws`. */
const STATUS = /(?<=status |server response: )\d{3}\b/;
/** Codes of errors in connections, e.g. `ECONNREFUSED`. */
const CODE = /^[A-Z][A-Z\d_]+$/;

/** The browsers of one remote endpoint, which are controlled over a WebSocket each. */
export class RemoteBrowsers {
  private readonly grid: SeleniumGrid | undefined;
  /** Ids of the gateway's contexts in browsers that have not noticed the end of its connection. */
  private readonly abandoned = new Set<string | undefined>();

  constructor(
    private readonly endpoint: BrowserEndpoint,
    private readonly rules: PageRules,
    private readonly connector: BrowserConnector,
  ) {
    this.grid = endpoint.kind === 'grid' ? new SeleniumGrid(endpoint.url, gridArgs(rules)) : undefined;
  }

  /**
   * Rejects with UnavailableError, or with RateLimitedError if the endpoint is full.
   * @param signal ends an attempt that is under way, with its reason
   */
  async connect(signal: AbortSignal): Promise<LaunchedBrowser> {
    let address: RemoteAddress | undefined;
    let transport: SocketTransport | undefined;
    try {
      // One limit for finding it and connecting to it; a grid has one of its own for starting it.
      const session = this.grid && (await untilAborted(this.grid.session(), signal));
      const limit = AbortSignal.any([signal, AbortSignal.timeout(this.connector.timeoutMs)]);
      // A look-up of its name does not end with the limit.
      address = session ?? (await untilAborted(this.address(limit), limit));
      transport = await SocketTransport.open(address, limit);
      return await untilAborted(this.control(transport, address), signal);
    } catch (error) {
      transport?.close();
      await address?.release();
      throw remoteFailure(this.endpoint, error);
    }
  }

  /** Gives up what it still asks for. Never throws. */
  async close(): Promise<void> {
    await this.grid?.close();
  }

  private async address(signal: AbortSignal): Promise<RemoteAddress> {
    const { kind, url } = this.endpoint;
    return kind === 'chromium'
      ? findChromium(url, signal)
      : { url: url.href, release: async () => undefined };
  }

  private async control(transport: SocketTransport, address: RemoteAddress): Promise<LaunchedBrowser> {
    const allowlist = this.rules.allowedOrigins.flatMap(originPatterns);
    const browser = await this.connector.connect({ transport, allowlist });
    this.clearAbandoned(browser);
    const gone = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
    // It may have other users: the gateway disconnects, and ends what it had to itself.
    const leave = async (): Promise<void> => {
      await Promise.all([browser.disconnect(), address.release()]);
    };
    return this.connector.accept(browser, {
      close: leave,
      kill: () => void leave(),
      gone: gone.then(() => address.release()),
      isRemote: true,
      heard: () => transport.bytesRead,
      failure: () => transport.failure,
    });
  }

  /**
   * Contexts end with their connection, but where the network broke, the browser learns of that end much later. The next
   * connection closes what is still open then.
   */
  private clearAbandoned(browser: Browser): void {
    const found = browser.browserContexts();
    const others = new Set(found.map(({ id }) => id));
    for (const context of found.filter(({ id }) => this.abandoned.has(id))) {
      void context.close().catch(() => undefined);
    }
    this.abandoned.clear();
    browser.once('disconnected', () => {
      const own = browser.browserContexts().filter(({ id }) => !others.has(id));
      own.forEach(({ id }) => this.abandoned.add(id));
    });
  }
}

/** Patterns (URLPattern syntax) for an origin and for its sockets. */
function originPatterns(origin: string): string[] {
  const { protocol, host } = new URL(origin);
  const socket = protocol === 'https:' ? 'wss:' : 'ws:';
  return [`${protocol}//${host}/*`, `${socket}//${host}/*`];
}

/** Options that close two ways around the list of origins, for a browser that a grid starts. */
function gridArgs({ keepsWindows }: PageRules): string[] {
  return [
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ...(keepsWindows ? [] : ['--block-new-web-contents']),
  ];
}

function remoteFailure(endpoint: BrowserEndpoint, error: unknown): Error {
  const name = endpointName(endpoint);
  if (error instanceof UnavailableError) {
    const { fault, message, cause } = error;
    return fault === 'shutdown'
      ? error
      : new UnavailableError(fault, `${name} cannot be used. ${message}`, { cause });
  }
  const status = statusOf(error);
  if (status === '429' || status === '503') {
    const message = `The remote browsers are all in use: ${name} answered with status ${status}.`;
    return new RateLimitedError(FULL_RETRY_MS, { message });
  }
  const message = `${name} cannot be used: ${causeOf(error, status)}.`;
  return new UnavailableError('launch_failed', message, { cause: error });
}

function statusOf(error: unknown): string | undefined {
  return error instanceof Error ? STATUS.exec(error.message)?.[0] : undefined;
}

/** Repeats nothing of an error but what is known to hold no token. */
function causeOf(error: unknown, status: string | undefined): string {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (status !== undefined) {
    return `it answered with status ${status}`;
  }
  if (name === 'TimeoutError') {
    return 'it did not answer in time';
  }
  return typeof code === 'string' && CODE.test(code) ? code : 'it does not speak DevTools';
}
