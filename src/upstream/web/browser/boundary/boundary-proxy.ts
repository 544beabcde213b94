import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type EgressPolicy, RefusedError } from './egress-policy.js';
import { ForwardingLane, MAX_HEADER_BYTES } from './forwarding-lane.js';
import { joinSockets, tunnelTo } from './outgoing-connection.js';
import { parseForwardTarget, parseTunnelTarget, type ProxyTarget, upgradeFields } from './proxy-target.js';

/** More than a browser opens: 32 for requests and 32 for sockets to one proxy. */
const MAX_CONNECTIONS = 256;

/** A request that the boundary let nowhere. */
export interface RefusedRequest {
  /** `CONNECT` for TLS and sockets, whose requests the proxy does not see. */
  readonly method: string;
  /** Of a `CONNECT` the host and port alone. */
  readonly url: string;
  /** In words for the operator. */
  readonly cause: string;
}

/**
 * A forward and CONNECT proxy on a loopback port that lets a browser reach the allowed origins and nothing else. It asks
 * for no password, since a browser can give none for all of its traffic: another process of this machine that finds the
 * port gets to those origins, with no cookie or login of the browser's.
 */
export class BoundaryProxy {
  private readonly server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    // The browser ends its idle connections itself, and an upload may take its time.
    keepAliveTimeout: 0,
    requestTimeout: 0,
  });
  private readonly connections = new Set<Duplex>();
  private readonly lanes = new WeakMap<Socket, ForwardingLane>();
  private latestFailure: Error | undefined;

  private constructor(
    private readonly policy: EgressPolicy,
    private readonly onRefused: (refusal: RefusedRequest) => void,
  ) {
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server
      .on('connection', (socket: Socket) => this.own(socket))
      .on('request', (request, response) => this.forward(request, response))
      .on('connect', (request, socket, head) => this.tunnel(request, socket, head))
      .on('upgrade', (request, socket, head) => this.upgrade(request, socket, head))
      .on('clientError', (_error, socket) => socket.destroy())
      // A connection of the browser that could not be taken, as without descriptors.
      .on('error', (error) => (this.latestFailure = error));
  }

  /** @param onRefused called for every request that is refused */
  static async listen(
    policy: EgressPolicy,
    onRefused: (refusal: RefusedRequest) => void,
  ): Promise<BoundaryProxy> {
    const proxy = new BoundaryProxy(policy, onRefused);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** For browsers, e.g. `http://127.0.0.1:41234`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of open connections, to browser and targets. */
  get size(): number {
    return this.connections.size;
  }

  /** Why the latest connection to a target was refused or failed; undefined if it stands. A browser is not told. */
  get failure(): Error | undefined {
    return this.latestFailure;
  }

  /** Ends the listener and every connection. May be called twice. */
  close(): void {
    this.server.close();
    this.connections.forEach((connection) => connection.destroy());
  }

  private own<T extends Duplex>(connection: T): T {
    this.connections.add(connection);
    connection.once('close', () => this.connections.delete(connection));
    return connection;
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { socket, url = '' } = request;
    const target = parseForwardTarget(url);
    if (!target) {
      response.writeHead(400, { connection: 'close' }).end();
    } else if (this.isAllowed(request, target)) {
      const lane = this.lanes.get(socket) ?? new ForwardingLane(socket, this.policy);
      this.lanes.set(socket, lane);
      lane.forward(request, response, target, (error) => this.noteOutcome(request, error));
    } else {
      // An answer would be one of the target, as the page sees it.
      socket.destroy();
    }
  }

  private tunnel(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const target = parseTunnelTarget(request.url ?? '');
    this.join(request, client, target, (upstream) => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
    });
  }

  private upgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const target = parseForwardTarget(request.url ?? '');
    this.join(request, client, target, (upstream) => {
      const fields = upgradeFields(request.rawHeaders);
      const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1]}\r\n`] : []));
      upstream.write(`${request.method} ${target?.path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
      upstream.write(head);
    });
  }

  /** Joins a connection of the browser with one to the target, once that stands and `begin` has run. */
  private join(
    request: IncomingMessage,
    client: Duplex,
    target: ProxyTarget | undefined,
    begin: (upstream: Socket) => void,
  ): void {
    client.on('error', () => undefined);
    if (!target || !this.isAllowed(request, target)) {
      client.end(refusal(target ? '403 Forbidden' : '400 Bad Request'));
      return;
    }
    const left = new AbortController();
    const onLeft = (): void => left.abort();
    client.once('close', onLeft);
    tunnelTo(this.policy, target, left.signal).then(
      (upstream) => {
        client.off('close', onLeft);
        this.noteOutcome(request);
        this.own(upstream);
        begin(upstream);
        joinSockets(client, upstream);
      },
      (error: Error) => {
        if (!left.signal.aborted) {
          this.noteOutcome(request, error);
          client.end(refusal('502 Bad Gateway'));
        }
      },
    );
  }

  private isAllowed(request: IncomingMessage, { host, port }: ProxyTarget): boolean {
    const isAllowed = this.policy.allows(host, port);
    if (!isAllowed) {
      this.refuse(request, 'not in allowedOrigins');
    }
    return isAllowed;
  }

  private noteOutcome(request: IncomingMessage, error?: Error): void {
    if (error instanceof RefusedError) {
      this.refuse(request, error.message);
    } else {
      this.latestFailure = error;
    }
  }

  private refuse({ method = '', url: target = '' }: IncomingMessage, cause: string): void {
    const url = method === 'CONNECT' ? `https://${target}` : target;
    const [address] = url.split('?', 1);
    this.latestFailure = new RefusedError(`${address}: ${cause}`);
    this.onRefused({ method, url, cause });
  }
}

function refusal(status: string): string {
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}
