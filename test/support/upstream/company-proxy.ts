import { once } from 'node:events';
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

/**
 * An HTTP proxy as companies have them between their machines and the internet: it tunnels (`CONNECT`) and forwards
 * requests for plain HTTP. Names lead where `leads` says; nobody else has to know them.
 */
export class CompanyProxy {
  /** What it was asked for: `CONNECT api.example:443`, `POST http://api.example/v1/chat/completions`. */
  readonly asked: string[] = [];
  /** The credentials that came with each. */
  readonly credentials: (string | undefined)[] = [];
  /** Connections that it has taken. */
  clients = 0;
  /** Answered to whatever is asked; 0: nothing is answered at all. By default it connects. */
  refuseWith: number | undefined;
  private readonly server = createServer();
  private readonly sockets = new Set<Duplex>();

  /** @param ports port on this machine that each name leads to */
  private constructor(private readonly ports: Readonly<Record<string, number>>) {
    this.server
      .on('connection', (socket: Socket) => {
        this.clients++;
        this.own(socket);
      })
      .on('connect', (request, client) => this.tunnel(request, client))
      .on('request', (request, response) => this.forward(request, response));
  }

  static async start(ports: Readonly<Record<string, number>>): Promise<CompanyProxy> {
    const proxy = new CompanyProxy(ports);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Open connections of its clients and to the servers. */
  get size(): number {
    return this.sockets.size;
  }

  close(): void {
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
  }

  private own<T extends Duplex>(socket: T): T {
    this.sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
    return socket;
  }

  private note({ method, url, headers }: IncomingMessage): void {
    this.asked.push(`${method} ${url}`);
    this.credentials.push(headers['proxy-authorization']);
  }

  private tunnel(request: IncomingMessage, client: Duplex): void {
    this.note(request);
    if (this.refuseWith !== undefined) {
      // Its end is seen only if it is read.
      client.resume().once('end', () => client.destroy());
      if (this.refuseWith > 0) {
        client.end(`HTTP/1.1 ${this.refuseWith} No\r\nContent-Length: 2\r\n\r\nno`);
      }
      return;
    }
    const { hostname } = new URL(`http://${request.url}`);
    const server = this.own(connect(this.ports[hostname] ?? 0, '127.0.0.1'));
    server.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    this.note(request);
    if (this.refuseWith !== undefined) {
      if (this.refuseWith > 0) {
        response.writeHead(this.refuseWith).end('no');
      }
      return;
    }
    const { hostname, pathname, search } = new URL(request.url ?? '');
    const headers = { ...request.headers };
    delete headers['proxy-authorization'];
    const asked = forward({
      port: this.ports[hostname],
      method: request.method,
      path: pathname + search,
      headers,
    });
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.once('close', () => asked.destroy());
    request.pipe(asked);
  }
}
