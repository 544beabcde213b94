import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { RemoteChromium } from './remote-chromium.js';

/** The part of a Selenium Grid that hands out browsers; each session is a real one. */
export class ScriptedGrid {
  /** Requests as `POST /session`, in the order of their arrival. */
  readonly requests: string[] = [];
  /** Capabilities in the requests for sessions. */
  readonly capabilities: unknown[] = [];
  /** Sessions that exist, with their browsers. */
  readonly sessions = new Map<string, RemoteChromium>();
  /** Awaited before a session is begun, like the queue of a full grid. */
  queue: Promise<void> = Promise.resolve();
  private readonly server: Server;
  private count = 0;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.upgrade(request, socket));
  }

  static async start(): Promise<ScriptedGrid> {
    const grid = new ScriptedGrid();
    grid.server.listen(0, '127.0.0.1');
    await once(grid.server, 'listening');
    return grid;
  }

  get url(): URL {
    return new URL(`http://user:pa%20ss@127.0.0.1:${(this.server.address() as AddressInfo).port}/wd/hub`);
  }

  /** As an entry of `BROWSER_ENDPOINTS`. */
  get endpoint(): string {
    return `webdriver+${this.url.href}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((browser) => browser.close()));
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request;
    this.requests.push(`${method} ${url.replace(/session-\d+/, ':id')}`);
    const id = /session-\d+/.exec(url)?.[0] ?? '';
    const body = await text(request);
    const reply = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ value }));
    };
    if (request.headers.authorization !== `Basic ${Buffer.from('user:pa ss').toString('base64')}`) {
      reply(401, null);
    } else if (method === 'POST' && url === '/wd/hub/session') {
      this.capabilities.push((JSON.parse(body) as { capabilities: unknown }).capabilities);
      await this.queue;
      // An address that only the grid itself reaches, as grids behind a router name it.
      reply(200, await this.begin());
    } else if (!this.sessions.has(id)) {
      reply(404, { error: 'invalid session id' });
    } else if (method === 'DELETE') {
      const browser = this.sessions.get(id);
      this.sessions.delete(id);
      await browser?.close();
      reply(200, null);
    } else {
      reply(200, 'about:blank');
    }
  }

  private async begin(): Promise<object> {
    const sessionId = `session-${this.count++}`;
    this.sessions.set(sessionId, await RemoteChromium.start());
    const socket = `ws://10.255.255.1:4444/wd/hub/session/${sessionId}/se/cdp`;
    return { sessionId, capabilities: { browserName: 'chrome', 'se:cdp': socket } };
  }

  private upgrade(request: IncomingMessage, socket: Duplex): void {
    const browser = this.sessions.get(/\/(session-\d+)\/se\/cdp$/.exec(request.url ?? '')?.[1] ?? '');
    if (browser && request.headers.authorization) {
      browser.serve(request, socket);
    } else {
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    }
  }
}
