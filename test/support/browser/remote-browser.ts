import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex } from 'node:stream';

/** A browser of its own behind a proxy with a fixed address, like a browser grid. */
export class RemoteBrowser {
  private readonly sockets = new Set<Duplex>();
  private port = 0;
  private isFull = false;

  private constructor(
    private readonly browser: ChildProcess,
    private readonly folder: string,
    /** Address of the browser itself. */
    private readonly address: URL,
    private readonly server: Server,
  ) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.accept(request, socket));
  }

  static async start(): Promise<RemoteBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-remote-'));
    const browser = spawn(
      process.env.BROWSER_EXECUTABLE_PATH ?? '',
      ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`],
      { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let output = '';
    for await (const text of browser.stderr.setEncoding('utf8')) {
      output += text;
      const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (address) {
        return new RemoteBrowser(browser, folder, new URL(address), createServer());
      }
    }
    throw new Error(`The remote browser did not start: ${output}`);
  }

  get endpoint(): string {
    return `ws://127.0.0.1:${this.port}/`;
  }

  /** Accepts connections, always at the same address. */
  async open(): Promise<void> {
    this.isFull = false;
    if (!this.server.listening) {
      this.server.listen(this.port, '127.0.0.1');
      await once(this.server, 'listening');
      this.port = (this.server.address() as AddressInfo).port;
    }
  }

  /** Refuses connections. */
  async shut(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  /** Answers connections with 429. */
  fill(): void {
    this.isFull = true;
  }

  /** Cuts every connection; the browser keeps running. */
  cut(): void {
    this.sockets.forEach((socket) => socket.destroy());
  }

  /** URLs of the open pages. */
  async pages(): Promise<string[]> {
    const response = await fetch(`http://${this.address.host}/json/list`);
    const targets = (await response.json()) as { readonly type: string; readonly url: string }[];
    return targets.filter(({ type }) => type === 'page').map(({ url }) => url);
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    const ended = once(this.browser, 'exit');
    process.kill(-(this.browser.pid ?? 0), 'SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private accept({ rawHeaders }: IncomingMessage, socket: Duplex): void {
    if (this.isFull) {
      socket.end('HTTP/1.1 429 Too Many Requests\r\n\r\n');
      return;
    }
    const { hostname, port, host, pathname } = this.address;
    const browser = connect(Number(port), hostname);
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${/^host$/i.test(name) ? host : rawHeaders[at + 1]}`] : [],
    );
    browser.write([`GET ${pathname} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
    socket.pipe(browser).pipe(socket);
    for (const end of [socket, browser]) {
      this.sockets.add(end);
      end.on('error', () => undefined);
      end.once('close', () => {
        this.sockets.delete(end);
        socket.destroy();
        browser.destroy();
      });
    }
  }
}
