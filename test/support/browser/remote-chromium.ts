import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** A browser that somebody else runs, with DevTools on a port of loopback. */
export class RemoteChromium {
  private isOver = false;

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    /** Address of its DevTools' socket. */
    readonly socket: URL,
  ) {}

  static async start(): Promise<RemoteChromium> {
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
        return new RemoteChromium(browser, folder, new URL(address));
      }
    }
    throw new Error(`The remote browser did not start: ${output}`);
  }

  /** As an entry of `BROWSER_ENDPOINTS`. */
  get endpoint(): string {
    return `http://localhost:${this.socket.port}`;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** URLs of the open pages. */
  async pages(): Promise<string[]> {
    const response = await fetch(`http://${this.socket.host}/json/list`);
    const targets = (await response.json()) as { readonly type: string; readonly url: string }[];
    return targets.filter(({ type }) => type === 'page').map(({ url }) => url);
  }

  /** Ids of the contexts besides its own. */
  async contexts(): Promise<string[]> {
    const socket = new WebSocket(this.socket);
    await once(socket, 'open');
    socket.send(JSON.stringify({ id: 1, method: 'Target.getBrowserContexts' }));
    const [answer] = (await once(socket, 'message')) as [Buffer];
    socket.terminate();
    const { result } = JSON.parse(answer.toString()) as { result: { browserContextIds: string[] } };
    return result.browserContextIds;
  }

  /** Passes a client's upgrade on to the DevTools' socket, and everything after it in both directions. */
  serve({ rawHeaders }: IncomingMessage, client: Duplex): void {
    const { hostname, port, host, pathname } = this.socket;
    const browser = connect(Number(port), hostname);
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${/^host$/i.test(name) ? host : rawHeaders[at + 1]}`] : [],
    );
    browser.write([`GET ${pathname} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
    client.pipe(browser).pipe(client);
    for (const end of [client, browser]) {
      end.on('error', () => undefined);
      end.once('close', () => {
        client.destroy();
        browser.destroy();
      });
    }
  }

  /** Sends a signal to all of its processes. */
  signal(name: NodeJS.Signals): void {
    process.kill(-(this.process.pid ?? 0), name);
  }

  /** Kills it. May be called twice. */
  async close(): Promise<void> {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const ended = once(this.process, 'exit');
    this.signal('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
