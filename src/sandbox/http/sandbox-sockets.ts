import { type IncomingMessage } from 'node:http';
import { type Duplex } from 'node:stream';
import { type ChatEvent } from '../model/sandbox-events.js';
import { type AnswerSink } from './answer-sink.js';
import { type Exchange } from './sandbox-exchange.js';
import { type SandboxIntake } from './sandbox-intake.js';
import { type FixedResponse, jsonError } from './sandbox-refusal.js';
import { BadRequestError, MAX_BODY_BYTES, parseJsonBody } from './sandbox-requests.js';
import {
  acceptKey,
  closeFrame,
  FrameDecoder,
  pongFrame,
  textFrame,
  WebSocketProtocolError,
} from './websocket-frames.js';

/** The WebSocket variant of the API: one socket a page, `{"type":"prompt",…}` in, the usual events out. */
export class SandboxSockets {
  private readonly sockets = new Set<Duplex>();

  constructor(private readonly intake: SandboxIntake) {}

  /** Takes over a connection that asks for an upgrade, or ends it with the reason. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener a connection that the client resets would end the process.
    socket.on('error', () => socket.destroy());
    const key = request.headers['sec-websocket-key'];
    const isOwnPage = request.headers.origin === `http://${request.headers.host}`;
    if (request.url !== '/api/socket' || !key || !isOwnPage || !this.intake.session(request.headers)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n' +
        `sec-websocket-accept: ${acceptKey(key)}\r\n\r\n`,
    );
    this.sockets.add(socket);
    const connection = new SocketConnection(socket, request, this.intake);
    socket.on('data', (chunk: Buffer) => connection.read(chunk));
    socket.once('end', () => socket.end());
    socket.once('close', () => {
      this.sockets.delete(socket);
      connection.close();
    });
    connection.read(head);
  }

  close(): void {
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }
}

/** One page's socket. */
class SocketConnection {
  private readonly decoder = new FrameDecoder(MAX_BODY_BYTES);
  private readonly running = new Set<Exchange>();

  constructor(
    private readonly socket: Duplex,
    private readonly request: IncomingMessage,
    private readonly intake: SandboxIntake,
  ) {}

  read(chunk: Buffer): void {
    if (this.socket.writableEnded) {
      return;
    }
    try {
      for (const message of this.decoder.read(chunk)) {
        if (message.type === 'text') {
          this.take(message.text);
        } else if (message.type === 'ping') {
          this.socket.write(pongFrame(message.payload));
        } else {
          this.end(1000);
        }
      }
    } catch (error) {
      this.end(error instanceof WebSocketProtocolError ? error.code : 1011);
    }
  }

  /** Ends the answers of a client that is gone. */
  close(): void {
    for (const exchange of this.running) {
      exchange.cancel('client_closed');
    }
  }

  private end(code: number): void {
    this.close();
    this.socket.end(closeFrame(code));
  }

  private take(text: string): void {
    const sink = new SocketSink(this.socket);
    try {
      const body = parseJsonBody(text);
      const { headers } = this.request;
      if (body.type === 'stop') {
        this.intake.stop(headers, body.csrf_token, body);
        return;
      }
      const taken = this.intake.prompt(headers, body.csrf_token, body, 'websocket');
      if ('status' in taken) {
        sink.refuse(taken);
      } else {
        void this.run(taken, sink);
      }
    } catch (error) {
      if (!(error instanceof BadRequestError)) {
        throw error;
      }
      sink.refuse(jsonError(error.status, error.code, error.message));
    }
  }

  private async run(exchange: Exchange, sink: AnswerSink): Promise<void> {
    this.running.add(exchange);
    try {
      if (await exchange.open(sink)) {
        await exchange.play(sink);
      }
    } catch {
      this.socket.destroy();
    } finally {
      this.running.delete(exchange);
    }
  }
}

/** An answer as text frames. The socket stays open after it. */
class SocketSink implements AnswerSink {
  constructor(private readonly socket: Duplex) {}

  open(): void {
    // A socket has no headers of its own for an answer.
  }

  send(events: readonly ChatEvent[]): boolean {
    const frames = events.map((event) => textFrame(JSON.stringify(event)));
    return this.socket.write(Buffer.concat(frames));
  }

  /** A socket that breaks meanwhile closes, and that aborts the signal: its client has left, nothing was cut. */
  async drained(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    this.socket.once('drain', resolve);
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.socket.off('drain', resolve);
    }
  }

  refuse({ status, headers, body, error }: FixedResponse): void {
    const retryAfter = headers['retry-after'];
    const wait = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) };
    this.socket.write(textFrame(error ? JSON.stringify({ type: 'error', ...error, status, ...wait }) : body));
  }

  end(): void {
    // The page asks its next question over the same socket.
  }

  breakOff(): void {
    this.socket.end(closeFrame(1000));
  }

  destroy(): void {
    this.socket.destroy();
  }
}
