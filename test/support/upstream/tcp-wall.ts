import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP forwarder that can be shut: then it cuts its connections and refuses new ones, always at the same address. */
export class TcpWall {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private port = 0;

  private constructor(private readonly target: URL) {
    this.server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
    });
  }

  /** @param target whose host and port it forwards to */
  static async start(target: URL): Promise<TcpWall> {
    const wall = new TcpWall(target);
    await wall.open();
    return wall;
  }

  /** The target's URL with the address of the wall. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async shut(): Promise<void> {
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
    await once(this.server, 'close');
  }

  /** Ends it; may be shut already. */
  async close(): Promise<void> {
    if (this.server.listening) {
      await this.shut();
    }
  }
}
