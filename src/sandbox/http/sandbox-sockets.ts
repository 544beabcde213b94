import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type ChatEvent } from '../model/event-writer.js';
import { type SandboxExchange } from './sandbox-exchange.js';
import { type SandboxIntake } from './sandbox-intake.js';
import { type FixedResponse, jsonError } from './sandbox-refusal.js';
import { BadRequestError, MAX_BODY_BYTES, parseObject } from './sandbox-requests.js';
import { type SandboxSink } from './sandbox-sink.js';

/** RFC 6455 §7.4.1. */
const CloseCode = { normal: 1000, unsupportedData: 1003, internalError: 1011 } as const;

/** The WebSocket variant of the API: one socket per page, `{"type":"prompt",…}` in, the usual events out. */
export class SandboxSockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
  });

  constructor(private readonly intake: SandboxIntake) {}

  /** Upgrades a connection of the site's own, logged-in page; any other is answered with 403. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const isOwnPage = request.headers.origin === `http://${request.headers.host}`;
    if (request.url !== '/api/socket' || !isOwnPage || !this.intake.session(request.headers)) {
      // Without a listener, a connection that the client resets would end the process.
      stream.on('error', () => stream.destroy());
      stream.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    this.server.handleUpgrade(request, stream, head, (socket) => {
      const connection = new SocketConnection(socket, stream, request.headers, this.intake);
      socket.on('message', (data, isBinary) => connection.read(data, isBinary));
      socket.on('close', () => connection.cancel());
      // The protocol was broken or the message too large; `ws` closes the socket with the code for it.
      socket.on('error', () => connection.cancel());
    });
  }

  /** Cuts every connection. */
  close(): void {
    for (const socket of this.server.clients) {
      socket.terminate();
    }
    this.server.close();
  }
}

/** One page's socket. */
class SocketConnection {
  private readonly running = new Set<SandboxExchange>();
  private readonly sink: SandboxSink;

  constructor(
    private readonly socket: WebSocket,
    stream: Duplex,
    private readonly headers: IncomingHttpHeaders,
    private readonly intake: SandboxIntake,
  ) {
    this.sink = new SocketSink(socket, stream);
  }

  read(data: RawData, isBinary: boolean): void {
    if (this.socket.readyState !== this.socket.OPEN) {
      return;
    }
    if (isBinary) {
      this.socket.close(CloseCode.unsupportedData);
      return;
    }
    try {
      this.take(parseObject((data as Buffer).toString()));
    } catch (error) {
      if (error instanceof BadRequestError) {
        this.sink.refuse(jsonError(error.status, error.code, error.message));
      } else {
        this.socket.close(CloseCode.internalError);
      }
    }
  }

  /** Ends the answers of a client that is gone. */
  cancel(): void {
    for (const exchange of this.running) {
      exchange.cancel('client_closed');
    }
  }

  private take(body: Record<string, unknown>): void {
    if (body.type === 'stop') {
      this.intake.stop(this.headers, body.csrf_token, body);
      return;
    }
    const taken = this.intake.prompt(this.headers, body.csrf_token, body, 'websocket');
    if ('status' in taken) {
      this.sink.refuse(taken);
    } else {
      void this.run(taken);
    }
  }

  private async run(exchange: SandboxExchange): Promise<void> {
    this.running.add(exchange);
    try {
      if (await exchange.open(this.sink)) {
        await exchange.play(this.sink);
      }
    } catch {
      this.socket.terminate();
    } finally {
      this.running.delete(exchange);
    }
  }
}

/** An answer as text messages. The socket stays open after it. */
class SocketSink implements SandboxSink {
  /** @param stream the connection below the socket, which alone tells when its reader has caught up */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
  ) {}

  open(): void {
    // A socket has no headers of its own for an answer.
  }

  send(events: readonly ChatEvent[]): boolean {
    for (const event of events) {
      this.socket.send(JSON.stringify(event));
    }
    return !this.stream.writableNeedDrain;
  }

  /** A connection that breaks meanwhile closes, which aborts the signal: its client has left, nothing was cut. */
  async drained(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    this.stream.once('drain', resolve);
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.stream.off('drain', resolve);
    }
  }

  /** The error as an event; bodies without one (`[[garbage]]`) go as they are, valid UTF-8 or not. */
  refuse({ status, headers, body, error }: FixedResponse): void {
    const retryAfter = headers['retry-after'];
    const wait = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) };
    const message = error ? JSON.stringify({ type: 'error', ...error, status, ...wait }) : body;
    this.socket.send(message, { binary: false });
  }

  end(): void {
    // The page asks its next question over the same socket.
  }

  breakOff(): void {
    this.socket.close(CloseCode.normal);
  }

  destroy(): void {
    this.socket.terminate();
  }
}
