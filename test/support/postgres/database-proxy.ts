import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';

/**
 * A way to the database that a test can freeze, as a server that hangs would: nothing is refused, nothing is answered; or
 * cut, as one that was killed: every connection is closed, and new ones are reset at once; or make long.
 */
export class DatabaseProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isFrozen = false;
  private isCut = false;
  /** How late what comes from either side is passed on. */
  delayMs = 0;

  private constructor(
    private readonly server: Server,
    /** `DATABASE_URL` by way of the proxy. */
    readonly url: string,
    private target: URL,
  ) {}

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = new URL(databaseUrl);
    own.port = String((server.address() as AddressInfo).port);
    const proxy = new DatabaseProxy(server, own.href, new URL(databaseUrl));
    server.on('connection', (socket) => proxy.join(socket));
    return proxy;
  }

  freeze(): void {
    this.isFrozen = true;
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.pause()));
  }

  /** Data held back goes on its way, late. */
  thaw(): void {
    this.isFrozen = false;
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.resume()));
  }

  cut(): void {
    this.isCut = true;
    // A reset fails for a socket whose end is on its way; Node would then never let go of it, and spin at its exit.
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
  }

  restore(): void {
    this.isCut = false;
  }

  /** Leads new connections to another server, as an address that moves does. */
  pointTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
  }

  async close(): Promise<void> {
    this.pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    if (this.isCut) {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const { hostname, port } = this.target;
    const server = connect(Number(port), hostname);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [from, to] of [pair, [server, client]] as const) {
      from.on(
        'data',
        (bytes) =>
          void (this.delayMs > 0 ? setTimeout(() => to.write(bytes), this.delayMs) : to.write(bytes)),
      );
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
