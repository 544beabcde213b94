import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** Stands among the requests for bytes that are no HTTP, such as those for a TURN relay. */
export const NO_HTTP = 'no HTTP';

/** A server on loopback, over TCP and UDP, that remembers whatever reaches it. */
export class Canary {
  /** Paths of the requests, without the first slash; `NO_HTTP` for what is none. */
  readonly requests = new Set<string>();
  private connections = 0;
  private packets = 0;
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    private readonly sockets: WebSocketServer,
    private readonly udp: UdpSocket,
  ) {
    server.on('connection', () => this.note(() => this.connections++));
    server.on('request', (request, response) => {
      this.noteUrl(request.url);
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('canary');
    });
    server.on('clientError', (_error, socket) => {
      this.note(() => this.requests.add(NO_HTTP));
      socket.destroy();
    });
    sockets.on('connection', (_socket, request) => this.noteUrl(request.url));
    udp.on('message', () => this.note(() => this.packets++));
  }

  static async start(): Promise<Canary> {
    const [server, udp] = [createServer(), createSocket('udp4')];
    server.listen(0, '127.0.0.1');
    udp.bind(0, '127.0.0.1');
    await Promise.all([once(server, 'listening'), once(udp, 'listening')]);
    return new Canary(server, new WebSocketServer({ server }), udp);
  }

  /** All that has reached it: requests, TCP connections with or without one, UDP packets. */
  get seen(): { requests: string[]; connections: number; packets: number } {
    return { requests: [...this.requests], connections: this.connections, packets: this.packets };
  }

  /** Host and port over TCP. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Host and port over UDP. */
  get udpHost(): string {
    return `127.0.0.1:${this.udp.address().port}`;
  }

  /** Resolves once `isSo` holds after something has reached it, or at once. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async close(): Promise<void> {
    this.sockets.clients.forEach((socket) => socket.terminate());
    this.sockets.close();
    this.server.closeAllConnections();
    await Promise.all([
      new Promise((resolve) => this.server.close(resolve)),
      new Promise<void>((resolve) => this.udp.close(resolve)),
    ]);
  }

  private noteUrl(url = ''): void {
    this.note(() => this.requests.add(url.split('?', 1)[0]?.slice(1) ?? ''));
  }

  private note(count: () => unknown): void {
    count();
    this.waiting.forEach((resolve) => resolve());
    this.waiting.clear();
  }
}
