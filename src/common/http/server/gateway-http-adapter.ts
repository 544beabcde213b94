import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { sendError } from '../answer/error-response.js';
import { setResponseHeaders } from '../answer/response-headers.middleware.js';
import { cutStalledCaller } from './stalled-caller.js';

/** Limits of the HTTP server; times are milliseconds. Tests shorten them. */
export interface HttpLimits {
  /** Longest time until all headers of a request are there. */
  readonly headersTimeoutMs: number;
  /** Longest time until a whole request is there, its body included. */
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept. */
  readonly keepAliveTimeoutMs: number;
  /** How long a caller may take in nothing of an answer that is complete. */
  readonly unreadTimeoutMs: number;
  /** How often the two request times are checked; Node's own 30 s would let them overrun by that much. */
  readonly checkIntervalMs: number;
  /** How long answers that still run may go on once the application closes; then they are cut. */
  readonly closeGraceMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 5000,
  unreadTimeoutMs: 60_000,
  checkIntervalMs: 1000,
  closeGraceMs: 1000,
};

const MAX_HEADER_BYTES = 16 * 2 ** 10;

type HttpHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Express with an HTTP server of our own limits; Nest's adapter cannot pass those on. */
export class GatewayHttpAdapter extends ExpressAdapter {
  constructor(private readonly limits: HttpLimits = DEFAULT_HTTP_LIMITS) {
    super();
  }

  override initHttpServer(_options: NestApplicationOptions): void {
    const express = this.getInstance<HttpHandler>();
    this.httpServer = createServer(
      {
        headersTimeout: this.limits.headersTimeoutMs,
        requestTimeout: this.limits.requestTimeoutMs,
        keepAliveTimeout: this.limits.keepAliveTimeoutMs,
        connectionsCheckingInterval: this.limits.checkIntervalMs,
        maxHeaderSize: MAX_HEADER_BYTES,
        // Node would answer a missing Host itself, without the envelope.
        requireHostHeader: false,
      },
      (request, response) => {
        response.once('prefinish', () => this.cutIfUnread(response));
        express(request, response, () => refuseTarget(request, response));
      },
    );
    // All fields are kept, so that none is dropped unseen; requestLimitsMiddleware counts them.
    this.httpServer.maxHeadersCount = 0;
  }

  /** Whoever asks for megabytes and reads nothing of them would hold them in memory for ever. */
  private cutIfUnread(response: ServerResponse): void {
    // Completions have set their own time.
    if (!response.socket?.timeout) {
      cutStalledCaller(response, this.limits.unreadTimeoutMs);
    }
  }

  override async close(): Promise<void> {
    const timer = setTimeout(() => this.httpServer.closeAllConnections(), this.limits.closeGraceMs);
    await super.close();
    clearTimeout(timer);
  }
}

/** Express passes on, past all middleware, only what has a target without a path (`GET http://`). */
function refuseTarget(request: IncomingMessage, response: ServerResponse): void {
  setResponseHeaders(request, response);
  sendError(request, response, new InvalidRequestError('The request target has no path.'));
}
