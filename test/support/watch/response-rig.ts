import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * A real HTTP response in the hands of a test, and the connection of the caller who waits for it.
 * The caller reads only while `read` or `readAll` is under way.
 */
export class ResponseRig {
  private received = '';
  private isClosed = false;
  private wake: () => void = () => undefined;

  private constructor(
    private readonly server: Server,
    private readonly caller: Socket,
    readonly response: ServerResponse,
  ) {
    caller.setEncoding('utf8');
    caller.pause();
    caller.on('data', (text: string) => {
      this.received += text;
      this.wake();
    });
    caller.on('close', () => {
      this.isClosed = true;
      this.wake();
    });
    // Some tests cut the connection on purpose.
    caller.on('error', () => undefined);
  }

  static async open(): Promise<ResponseRig> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
    caller.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return new ResponseRig(server, caller, response);
  }

  /** Reads until the condition holds for all that was received so far. */
  async read(isEnough: (received: string) => boolean): Promise<void> {
    while (!isEnough(this.received) && !this.isClosed) {
      const changed = new Promise<void>((resolve) => (this.wake = resolve));
      this.caller.resume();
      await changed;
    }
    this.caller.pause();
  }

  /** Reads to the end of the connection. */
  async readAll(): Promise<ReceivedResponse> {
    await this.read(() => false);
    const headEnd = this.received.indexOf('\r\n\r\n');
    const [status = '', ...lines] = this.received.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => line.toLowerCase().split(': ')) as [string, string][],
    );
    const rest = this.received.slice(headEnd + 4);
    const isChunked = headers['transfer-encoding'] === 'chunked';
    return { status, headers, ...(isChunked ? unchunk(rest) : { writes: [rest], isWhole: true }) };
  }

  /** The caller leaves. */
  leave(): void {
    this.caller.destroy();
  }

  async close(): Promise<void> {
    this.caller.destroy();
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

export interface ReceivedResponse {
  readonly status: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, one entry a write. */
  readonly writes: readonly string[];
  /** Whether the end of the body was seen. */
  readonly isWhole: boolean;
}

/** Takes a chunked body apart; each write of Node's is one chunk. */
function unchunk(body: string): { writes: string[]; isWhole: boolean } {
  const bytes = Buffer.from(body);
  const writes: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (size === 0) {
      return { writes, isWhole: true };
    }
    writes.push(bytes.toString('utf8', lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return { writes, isWhole: false };
}
