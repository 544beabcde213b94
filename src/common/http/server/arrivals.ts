import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type GatewayError } from '../../errors/gateway.errors.js';
import { TransientSet } from '../../memory/transient-set.js';
import { sendRawError } from './raw-answer.js';

/** Turns of the event loop without a new connection after which none is taken to wait: each turn accepts one. */
const QUIET_TURNS = 2;
/** Most connections that wait at once, as Node has it; under a flood there is always another one. */
const BACKLOG = 511;
/** Time that a connection has to bring its first request once the listener is closed. */
const FIRST_REQUEST_MS = 1000;

/** What has reached a server and is not answered yet, for an end at which none of it is lost. */
export class Arrivals {
  /** How many connections were accepted. */
  private accepted = 0;
  /** Connections that have brought no request yet. */
  private readonly silent = new TransientSet<Socket>();
  /** Responses that are not over. */
  private readonly responses = new TransientSet<ServerResponse>();
  private wake: () => void = () => undefined;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.silent.add(socket);
      socket.once('close', () => this.forget(this.silent, socket));
    });
    server.prependListener('request', ({ socket }, response: ServerResponse) => {
      this.responses.add(response);
      this.silent.delete(socket);
      response.once('close', () => this.forget(this.responses, response));
    });
  }

  /**
   * Closes the listener after what the kernel has taken for it, since that would be reset with it. A connection is idle only
   * once a turn has read what was sent on it.
   */
  async closeListener(): Promise<void> {
    const most = this.accepted + BACKLOG;
    for (let quiet = 0; quiet < QUIET_TURNS && this.accepted < most;) {
      const before = this.accepted;
      await turn();
      quiet = this.accepted === before ? quiet + 1 : 0;
    }
    // Closes idle connections as well.
    this.server.close();
  }

  /** Responses that have not begun. */
  get unanswered(): readonly ServerResponse[] {
    return [...this.responses].filter(({ headersSent }) => !headersSent);
  }

  /** Resolves once the answer to every request has begun, and each connection has brought one or had time to. */
  async answered(): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.wake();
    }, FIRST_REQUEST_MS).unref();
    while (this.unanswered.length > 0 || (this.silent.size > 0 && !isLate)) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    clearTimeout(timer);
  }

  /** Ends the connections that have brought no whole request, with an error where a part of one has come. */
  refuseSilent(error: GatewayError): void {
    for (const socket of this.silent) {
      if (socket.bytesRead > 0) {
        sendRawError(socket, error);
      } else {
        socket.destroy();
      }
    }
  }

  private forget<T extends object>(all: TransientSet<T>, one: T): void {
    all.delete(one);
    this.wake();
  }
}
