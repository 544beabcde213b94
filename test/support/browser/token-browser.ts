import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Duplex } from 'node:stream';
import { RemoteChromium } from './remote-chromium.js';

const TOKEN = 'token-of-the-browser';

/** A browser of its own behind TLS and a token, like one that is rented. */
export class TokenBrowser {
  /** File of the certificate's authority. */
  static readonly authority = join(import.meta.dirname, 'localhost.pem');

  private constructor(
    readonly browser: RemoteChromium,
    private readonly server: Server,
  ) {}

  static async start(): Promise<TokenBrowser> {
    const pem = await readFile(TokenBrowser.authority, 'utf8');
    const browser = await RemoteChromium.start();
    const server = createServer({ key: pem, cert: pem });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      if (new URL(`${request.url}`, 'wss://localhost').searchParams.get('token') === TOKEN) {
        browser.serve(request, socket);
      } else {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      }
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return new TokenBrowser(browser, server);
  }

  /** Its address without the token. */
  get origin(): string {
    return `wss://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** As an entry of `BROWSER_ENDPOINTS`. */
  endpoint(token: string = TOKEN): string {
    return `${this.origin}/chromium?token=${token}`;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
    await once(this.server, 'close');
  }
}
