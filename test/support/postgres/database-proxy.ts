import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';

/**
 * A way to the database that a test can freeze, as a server that hangs would: nothing is refused, nothing is answered; or
 * cut, as one that was killed: every connection is reset, and new ones at once.
 */
export class DatabaseProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isFrozen = false;
  private isCut = false;

  private constructor(
    private readonly server: Server,
    /** `DATABASE_URL` by way of the proxy. */
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = new URL(databaseUrl);
    own.port = String((server.address() as AddressInfo).port);
    const proxy = new DatabaseProxy(server, own.href);
    server.on('connection', (socket) => proxy.join(socket, target));
    return proxy;
  }

  freeze(): void {
    this.isFrozen = true;
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.pause()));
  }

  /** What was held back goes on its way, late. */
  thaw(): void {
    this.isFrozen = false;
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.resume()));
  }

  cut(): void {
    this.isCut = true;
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.resetAndDestroy()));
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, { hostname, port }: URL): void {
    if (this.isCut) {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const server = connect(Number(port), hostname);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [from, to] of [pair, [server, client]] as const) {
      from.on('data', (bytes) => void to.write(bytes));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
      if (this.isFrozen) {
        from.pause();
      }
    }
  }
}
