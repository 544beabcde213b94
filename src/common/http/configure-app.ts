import { type Server } from 'node:http';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request } from 'express';
import { type Settings } from '../config/settings.js';
import { createCrossOrigin } from './access/cross-origin.js';
import { hostOriginMiddleware } from './access/host-origin.middleware.js';
import { ErrorFormats } from './answer/error-formats.js';
import { responseHeadersMiddleware } from './answer/response-headers.middleware.js';
import { requestLimitsMiddleware } from './body/request-limits.middleware.js';
import { capConnections } from './server/connection-cap.js';
import { answerServerEvents } from './server/server-events.js';

/** Options for creating the application; `JsonBodyGuard` is the only body parser. */
export const APP_OPTIONS = { bodyParser: false } as const;

/**
 * Adds the middleware and server events that come before the routes. `createGateway` and every test that serves HTTP
 * call it, so that tests exercise the same edge as callers.
 */
export function configureApp(app: NestExpressApplication, settings: Settings): void {
  app.disable('x-powered-by');
  // No answer is ever asked for twice, so hashing each body for an ETag would be wasted.
  app.disable('etag');
  // Addresses and protocols are those of the connection, never of a header that callers can forge.
  app.disable('trust proxy');
  app.use(responseHeadersMiddleware);
  app.use(requestLimitsMiddleware);
  app.use(hostOriginMiddleware(settings));
  app.enableCors(createCrossOrigin(settings));
  const server: Server = app.getHttpServer();
  capConnections(server, settings.MAX_CONNECTIONS);
  const formats = app.get(ErrorFormats);
  answerServerEvents(server, (request) => formats.of(request as Request));
}
