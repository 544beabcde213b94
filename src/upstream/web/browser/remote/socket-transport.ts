import { type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { DevToolsTransport, MAX_MESSAGE_BYTES } from '../devtools-transport.js';
import { type RemoteAddress } from './remote-address.js';

/** Limit of a regular end. */
const END_LIMIT_MS = 1000;
const NEW_CONTEXT = 'Target.createBrowserContext';

/** DevTools messages over a WebSocket. Contexts that are created over it end with it, however it ends. */
export class SocketTransport extends DevToolsTransport {
  private constructor(
    private readonly socket: WebSocket,
    private readonly connection: Socket,
  ) {
    super();
    socket.on('message', (data: Buffer) => void this.deliver(data.toString('utf8')));
    socket.on('close', () => this.onclose?.());
  }

  /** @param signal ends an attempt that has not led to a connection */
  static open({ url, headers, servername }: RemoteAddress, signal: AbortSignal): Promise<SocketTransport> {
    const socket = new WebSocket(url, {
      ...(headers && { headers }),
      ...(servername !== undefined && { servername }),
      perMessageDeflate: false,
      // One message per turn: code that awaits an answer must run before the next message is delivered.
      allowSynchronousEvents: false,
      maxPayload: MAX_MESSAGE_BYTES,
      followRedirects: true,
    });
    return new Promise((resolve, reject) => {
      let connection: Socket;
      const abandon = (): void => {
        reject(signal.reason as Error);
        socket.terminate();
      };
      signal.addEventListener('abort', abandon, { once: true });
      socket.once('upgrade', (response) => (connection = response.socket));
      socket.once('open', () => {
        signal.removeEventListener('abort', abandon);
        resolve(new SocketTransport(socket, connection));
      });
      // Stays for good: `close` follows each error, which would end this process if nobody listened.
      socket.on('error', reject);
    });
  }

  /** Number of bytes received so far, also of a message that is still on its way. */
  get bytesRead(): number {
    return this.connection.bytesRead;
  }

  send(message: string): void {
    this.socket.send(message.includes(NEW_CONTEXT) ? endingWithConnection(message) : message);
  }

  close(): void {
    const { socket } = this;
    if (socket.readyState === WebSocket.CLOSED) {
      return;
    }
    // A browser that hangs, or is out of reach, would not answer the regular end.
    const timer = setTimeout(() => socket.terminate(), END_LIMIT_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.close();
  }
}

/** The same command, for a context that the browser closes at the end of the connection; Puppeteer has no option for it. */
function endingWithConnection(message: string): string {
  const command = JSON.parse(message) as { readonly method: string; readonly params?: object };
  return command.method === NEW_CONTEXT
    ? JSON.stringify({ ...command, params: { ...command.params, disposeOnDetach: true } })
    : message;
}
