import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Settings } from '../config/settings.js';
import { hostOriginMiddleware } from './access/host-origin.middleware.js';
import { responseHeadersMiddleware } from './answer/response-headers.middleware.js';
import { requestLimitsMiddleware } from './body/request-limits.middleware.js';
import { answerServerEvents } from './server/server-events.js';

/** Options for creating the application; `JsonBodyGuard` is the only body parser. */
export const APP_OPTIONS = { bodyParser: false } as const;

/**
 * Sets up what stands before the routes. `main.ts` and every test that serves HTTP call it, so that tests meet the
 * gateway that callers meet.
 *
 * @example
 * const app = await NestFactory.create<NestExpressApplication>(AppModule, new GatewayHttpAdapter(), APP_OPTIONS);
 * configureApp(app, app.get(Settings));
 * await app.listen(settings.PORT, settings.HOST);
 */
export function configureApp(app: NestExpressApplication, settings: Settings): void {
  app.disable('x-powered-by');
  // Answers are made for one caller at one moment; hashing each body for an ETag would be wasted.
  app.disable('etag');
  // Addresses and protocols come from the connection, never from a header that callers can write.
  app.disable('trust proxy');
  app.use(responseHeadersMiddleware);
  app.use(requestLimitsMiddleware);
  app.use(hostOriginMiddleware(settings));
  answerServerEvents(app.getHttpServer());
}
