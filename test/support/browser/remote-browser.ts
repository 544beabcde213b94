import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { RemoteChromium } from './remote-chromium.js';

/** A browser of its own behind a proxy with a fixed address, like a browser grid. */
export class RemoteBrowser {
  private readonly sockets = new Set<Duplex>();
  private port = 0;
  private isFull = false;

  private constructor(
    private readonly browser: RemoteChromium,
    private readonly server: Server,
  ) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.accept(request, socket));
  }

  static async start(): Promise<RemoteBrowser> {
    return new RemoteBrowser(await RemoteChromium.start(), createServer());
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
  pages(): Promise<string[]> {
    return this.browser.pages();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await this.browser.close();
  }

  private accept(request: IncomingMessage, socket: Duplex): void {
    if (this.isFull) {
      socket.end('HTTP/1.1 429 Too Many Requests\r\n\r\n');
      return;
    }
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    this.browser.serve(request, socket);
  }
}
