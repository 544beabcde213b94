import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type DynamicModule, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/internal';
import { AppModule } from '../app.module.js';
import { type Settings } from '../common/config/settings.js';
import { type ErrorFormat } from '../common/errors/error-format.js';
import { InternalError } from '../common/errors/gateway.errors.js';
import { ErrorFormats } from '../common/http/answer/error-formats.js';
import { sendError } from '../common/http/answer/error-response.js';
import { wantsPage } from '../common/http/answer/not-found-page.js';
import { setResponseHeaders } from '../common/http/answer/response-headers.middleware.js';
import { RouteCatalog } from '../common/http/answer/route-catalog.js';
import { DEFAULT_HTTP_LIMITS } from '../common/http/server/gateway-http-adapter.js';
import { answerServerEvents } from '../common/http/server/server-events.js';

const AWAY = new InternalError('database_away', 'the gateway is starting, and waits for its database.');

/** Shows the dashboard instead as soon as it is there. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="refresh" content="2" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Starting · Chat Completion Gateway</title>
  </head>
  <body>
    <h1>Not serving yet: waiting for the database</h1>
    <p>The gateway is starting, and goes on by itself once its database (DATABASE_URL) has answered. The process log has the cause.</p>
  </body>
</html>
`;

/** Time that answers under way have once the server ends. */
const CLOSE_GRACE_MS = 1000;

/**
 * Answers in place of a gateway whose database is away or slow: it lives, is not ready, and refuses everything else at once.
 * Nobody's key can be judged without the database, so it says nothing that is not public.
 */
export class WaitingServer {
  private constructor(private readonly server: Server) {}

  /** @throws Error as `Server.listen`, e.g. where the port is taken */
  static async listen({ HOST, PORT, MAX_CONNECTIONS }: Settings): Promise<WaitingServer> {
    const { headersTimeoutMs, requestTimeoutMs, checkIntervalMs } = DEFAULT_HTTP_LIMITS;
    const limits = { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs };
    const formats = new ErrorFormats(new RouteCatalog(controllersOf(AppModule)));
    const formatOf = (request: IncomingMessage): ErrorFormat =>
      formats.of({ path: pathOf(request), headers: request.headers });
    const server = createServer(
      { ...limits, connectionsCheckingInterval: checkIntervalMs, requireHostHeader: false },
      (request, response) => answer(request, response, formatOf(request)),
    );
    server.maxConnections = MAX_CONNECTIONS;
    answerServerEvents(server, formatOf);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(PORT, HOST, resolve);
    await promise;
    return new WaitingServer(server);
  }

  /** Port that it listens on. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Gives the port up at once. */
  close(): void {
    this.server.close();
    setTimeout(() => this.server.closeAllConnections(), CLOSE_GRACE_MS).unref();
  }
}

function answer(request: IncomingMessage, response: ServerResponse, format: ErrorFormat): void {
  setResponseHeaders(request, response);
  // The next request is to find the gateway.
  response.setHeader('Connection', 'close');
  const isProbe = request.method === 'GET' || request.method === 'HEAD';
  const path = pathOf(request);
  if (isProbe && (path === '/health/live' || path === '/health')) {
    sendStatus(response, 200, 'ok');
  } else if (isProbe && path === '/health/ready') {
    sendStatus(response, 503, AWAY.reason);
  } else {
    sendError(request, response, AWAY, format, wantsPage(request) ? PAGE : undefined);
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function sendStatus(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ status }));
}

/** The controllers of a module and of all that it imports, none of which exist yet. */
function controllersOf(module: Type, seen = new Set<Type>()): Type[] {
  if (seen.has(module)) {
    return [];
  }
  seen.add(module);
  const imports = metadataOf<Type | DynamicModule>(MODULE_METADATA.IMPORTS, module);
  return [
    ...metadataOf<Type>(MODULE_METADATA.CONTROLLERS, module),
    ...imports.flatMap((one) => controllersOf('module' in one ? one.module : one, seen)),
  ];
}

function metadataOf<T>(key: string, module: Type): readonly T[] {
  return (Reflect.getMetadata(key, module) as T[] | undefined) ?? [];
}
