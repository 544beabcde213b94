import { createServer, IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Logger, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type GatewayError, InvalidRequestError, TooManyRequestsError } from '../../errors/gateway.errors.js';
import { AttachedValue } from '../../memory/attached-value.js';
import { sendError } from '../answer/error-response.js';
import { setResponseHeaders } from '../answer/response-headers.middleware.js';
import { Arrivals } from './arrivals.js';
import { MAX_REQUEST_HEADER_BYTES } from './server-events.js';
import { cutStalledCaller } from './stalled-caller.js';

/** Limits of the HTTP server; times are milliseconds. Tests shorten them. */
export interface HttpLimits {
  /** Longest time until all headers of a request have arrived. */
  readonly headersTimeoutMs: number;
  /** Longest time until a whole request has arrived, its body included. */
  readonly requestTimeoutMs: number;
  /** Time after which an idle connection is closed. */
  readonly keepAliveTimeoutMs: number;
  /** Longest time without progress in sending a complete answer to a caller that reads too slowly. */
  readonly unreadTimeoutMs: number;
  /** Interval of checking the two request times; Node's default of 30 s would let them overrun by that much. */
  readonly checkIntervalMs: number;
  /** Time that running answers have once the application closes; then their connections are cut. */
  readonly closeGraceMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  // Above the 60 s of nginx and the balancers of clouds: one that is closed first swallows the next request (decision 345).
  keepAliveTimeoutMs: 75_000,
  unreadTimeoutMs: 60_000,
  checkIntervalMs: 1000,
  closeGraceMs: 1000,
};

/**
 * Requests of one connection that may wait for an answer. Clients send one after the other; whoever sends a thousand in 64 KiB
 * need not read what each of them is to have made, opened and kept.
 */
export const MAX_PIPELINED = 8;

const logger = new Logger('GatewayHttpAdapter');

/** An application of Express, with the prototypes that it gives to each request and response. */
interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse, next: () => void): void;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Express on an HTTP server with limits, which Nest's own adapter cannot pass on. */
export class GatewayHttpAdapter extends ExpressAdapter {
  private isClosing = false;
  /** How many requests each connection has brought. */
  private readonly requests = new AttachedValue<Socket, number>('number of requests');
  /** How many of them are answered. */
  private readonly answers = new AttachedValue<Socket, number>('number of answers');
  private ofServer: Arrivals | undefined;

  constructor(private readonly limits: HttpLimits = DEFAULT_HTTP_LIMITS) {
    super();
  }

  /**
   * From now on each connection closes with its answer, also with one that has begun and promised otherwise: what is sent
   * on it later would meet the end of the process.
   */
  closeAfterAnswers(): void {
    this.isClosing = true;
  }

  override initHttpServer(_options: NestApplicationOptions): void {
    const express = this.getInstance<ExpressApp>();
    this.httpServer = createServer(
      {
        ...ownClasses(express, () => this.isClosing),
        headersTimeout: this.limits.headersTimeoutMs,
        requestTimeout: this.limits.requestTimeoutMs,
        keepAliveTimeout: this.limits.keepAliveTimeoutMs,
        connectionsCheckingInterval: this.limits.checkIntervalMs,
        maxHeaderSize: MAX_REQUEST_HEADER_BYTES,
        // Node would answer a missing Host by itself, without the error envelope.
        requireHostHeader: false,
      },
      (request, response) => {
        const { socket } = request;
        const number = (this.requests.get(socket) ?? 0) + 1;
        this.requests.set(socket, number);
        const waiting = number - (this.answers.get(socket) ?? 0);
        response.on('prefinish', () => {
          this.answers.set(socket, number);
          this.cutIfUnread(response);
          this.closeIfClosing(response, number);
        });
        response.on('error', tellWriteFault);
        if (waiting <= MAX_PIPELINED) {
          express(request, response, () => refuse(request, response, noPath()));
        } else if (waiting === MAX_PIPELINED + 1) {
          stopReading(socket);
          response.shouldKeepAlive = false;
          refuse(request, response, tooManyPipelined());
        }
      },
    );
    // All fields are kept, so that none is dropped unseen; requestLimitsMiddleware counts them.
    this.httpServer.maxHeadersCount = 0;
    this.ofServer = new Arrivals(this.httpServer);
  }

  /** What the server has not answered yet. @throws Error before `initHttpServer` */
  get arrivals(): Arrivals {
    if (this.ofServer === undefined) {
      throw new Error('There is no server yet.');
    }
    return this.ofServer;
  }

  override async close(): Promise<void> {
    const timer = setTimeout(() => this.httpServer.closeAllConnections(), this.limits.closeGraceMs);
    await super.close();
    clearTimeout(timer);
  }

  /** A caller that requests megabytes and never reads them would keep them in memory for ever. */
  private cutIfUnread(response: ServerResponse): void {
    // Completions have set a limit of their own.
    if (!response.socket?.timeout) {
      cutStalledCaller(response, this.limits.unreadTimeoutMs);
    }
  }

  /** @param number of the request on its connection, which stays open for the answers to later ones */
  private closeIfClosing(response: ServerResponse, number: number): void {
    const { socket } = response;
    if (this.isClosing && socket && response.shouldKeepAlive) {
      response.once('finish', () => {
        if (this.requests.get(socket) === number) {
          socket.destroySoon();
        }
      });
    }
  }
}

/**
 * Classes whose instances have the prototypes of Express from their beginning. An object whose prototype is changed, as
 * Express changes that of each request and response, is slow in all that follows: 4 % of a small request.
 * @param isClosing whether connections are to be closed with their answers
 */
function ownClasses(
  express: ExpressApp,
  isClosing: () => boolean,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: never[]): this {
      this.shouldKeepAlive &&= !isClosing();
      return super.writeHead(status, ...rest);
    }
  }
  express.request = Object.setPrototypeOf(ExpressRequest.prototype, express.request) as IncomingMessage;
  express.response = Object.setPrototypeOf(ExpressResponse.prototype, express.response) as ServerResponse;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** A write behind the end of one answer is a fault of that answer, and as an uncaught error would end all others with it. */
function tellWriteFault(error: Error): void {
  logger.error(error, 'an answer was written to after its end');
}

/** Answers a request that Express does not see. */
function refuse(request: IncomingMessage, response: ServerResponse, error: GatewayError): void {
  setResponseHeaders(request, response);
  sendError(request, response, error);
}

/** Only such a request (`GET http://`) gets past all middleware of Express. */
function noPath(): GatewayError {
  return new InvalidRequestError('The request target has no path.');
}

/** For good, although Node goes on with the end of each answer: nothing more of the connection is answered. */
function stopReading(socket: Socket): void {
  socket.on('resume', () => socket.pause());
  socket.pause();
}

function tooManyPipelined(): GatewayError {
  return new TooManyRequestsError(
    `This connection has brought more than ${MAX_PIPELINED} requests without waiting for an answer.`,
    1000,
    { reason: 'gateway_busy' },
  );
}
