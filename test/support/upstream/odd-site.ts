import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Settings } from '../../../src/common/config/settings.js';
import { type NetworkLog } from '../../../src/common/network/network-log.js';
import { SystemClock } from '../../../src/common/time/clock.js';
import { type UpstreamAccount, type UpstreamSession } from '../../../src/upstream/upstream-driver.js';
import { parseRecipe } from '../../../src/upstream/web/recipe/recipe-loader.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';
import { WebDriver } from '../../../src/upstream/web/web-driver.js';
import { type WebLimits } from '../../../src/upstream/web/web-limits.js';

export interface OddSiteOptions {
  /** Parts of the recipe that differ from the default. */
  readonly recipe?: object;
  /** Responses by path; a text is served as a page. */
  readonly routes?: Readonly<
    Record<string, string | ((request: IncomingMessage, response: ServerResponse, body: string) => void)>
  >;
  readonly firstByteMs?: number;
  readonly settings?: Partial<Settings>;
  /** Limits of the driver in place of the usual ones. */
  readonly limits?: Partial<WebLimits>;
  /** Adds to the server what is no plain response, e.g. sockets. */
  readonly attach?: (server: Server) => void;
  readonly network?: NetworkLog;
}

const RECIPE = {
  name: 'odd',
  authorised: { by: 'the test', note: 'The site is part of the test.' },
  allowedOrigins: ['{{site.origin}}'],
  login: { success: { selector: '#prompt' } },
  newChat: { url: '{{site.origin}}/', ready: '#prompt' },
  prompt: { input: '#prompt' },
  send: [{ action: 'click', selector: '#send' }],
  capture: {
    mode: 'replay',
    request: { url: '{{site.origin}}/api/chat' },
    format: 'sse',
    answer: { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] },
  },
};

/** The recipe for such a site. @param change parts that differ from the default */
export function oddRecipe(change: object = {}): SiteRecipe {
  return parseRecipe({ ...RECIPE, ...change }, 'odd', ['site.origin', 'site.origin.api']);
}

/** A chat page whose `post` asks for an answer; the script says what a click on the button does. */
export function chatPage(script = 'send.onclick = () => post(take());', body = ''): string {
  return `<!doctype html><title>Chat</title><textarea id="prompt"></textarea><button id="send">Send</button>${body}
<script>
const [prompt_, send] = [document.querySelector('#prompt'), document.querySelector('#send')];
const take = () => { const { value } = prompt_; prompt_.value = ''; return value; };
const post = async (prompt, url = '/api/chat', init = {}) => prompt === '' ? '' :
  (await fetch(url, { method: 'POST', body: JSON.stringify({ prompt }), ...init })).text();
${script}
</script>`;
}

export function answerHello(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('data: {"text":"Hello."}\n\ndata: [DONE]\n\n');
}

/** A minimal chat site with one habit of real sites, and a driver with a real browser for it. */
export class OddSite {
  /** Bodies of the requests for an answer. */
  readonly bodies: string[] = [];
  /** Paths of all requests. */
  readonly paths: string[] = [];
  readonly logLines: string[] = [];
  readonly driver: WebDriver;
  /** The saved login of the account. */
  state: string | undefined;
  private readonly drivers: WebDriver[] = [];

  private constructor(
    private readonly server: Server,
    /** Its drivers' data; removed with it. */
    readonly folder: string,
    readonly origin: string,
    private readonly options: OddSiteOptions,
  ) {
    this.driver = this.startDriver();
  }

  /** A driver with a browser of its own. */
  startDriver(): WebDriver {
    const { recipe, firstByteMs = 10_000, settings, limits, network } = this.options;
    const { origin, folder } = this;
    const driver = new WebDriver({
      recipe: oddRecipe(recipe),
      // The same server under another name is another origin.
      variables: { 'site.origin': origin, 'site.origin.api': origin.replace('127.0.0.1', 'localhost') },
      settings: Object.assign(new Settings(), {
        DATA_DIR: folder,
        BROWSER_EXECUTABLE_PATH: process.env.BROWSER_EXECUTABLE_PATH,
        UPSTREAM_FIRST_BYTE_MS: firstByteMs,
        UPSTREAM_IDLE_MS: 10_000,
        ...settings,
      }),
      clock: new SystemClock(),
      log: (line) => this.logLines.push(line),
      network,
      limits,
    });
    this.drivers.push(driver);
    return driver;
  }

  static async start(options: OddSiteOptions = {}): Promise<OddSite> {
    const server = createServer((request, response) => void site.serve(request, response, options));
    options.attach?.(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const folder = await mkdtemp(join(tmpdir(), 'gateway-odd-'));
    // Root's browser runs as another user, who must get at its profile.
    await chmod(folder, 0o711);
    const { port } = server.address() as AddressInfo;
    const site: OddSite = new OddSite(server, folder, `http://127.0.0.1:${port}`, options);
    return site;
  }

  open(driver = this.driver): Promise<UpstreamSession> {
    const account: UpstreamAccount = {
      id: 'alice',
      name: 'alice',
      login: 0,
      credentials: { user: 'alice', password: 'secret' },
      loadState: () => Promise.resolve(this.state),
      saveState: (saved) => (this.state = saved),
    };
    return driver.open(account, new AbortController().signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.drivers.map((driver) => driver.close()));
    this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** For tests that run at once: `await using site = await OddSite.start()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Refuses connections from now on, as a site that is down. */
  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(
    request: IncomingMessage,
    response: ServerResponse,
    { routes }: OddSiteOptions,
  ): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? '';
    this.paths.push(path);
    const body = await text(request);
    if (path === '/api/chat') {
      this.bodies.push(body);
    }
    const route = routes?.[path] ?? (path === '/' ? chatPage() : undefined);
    if (typeof route === 'function') {
      route(request, response, body);
    } else if (route !== undefined) {
      response.writeHead(200, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' });
      response.end(route);
    } else if (path === '/api/chat') {
      answerHello(response);
    } else {
      response.writeHead(404).end();
    }
  }
}
