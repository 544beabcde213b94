import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import { type Settings } from './common/config/settings.js';
import { type SettingsOrigin } from './common/config/settings-loader.js';
import { APP_OPTIONS, configureApp } from './common/http/configure-app.js';
import {
  DEFAULT_HTTP_LIMITS,
  GatewayHttpAdapter,
  type HttpLimits,
} from './common/http/server/gateway-http-adapter.js';
import { RequestLogMiddleware } from './logs/request-log.middleware.js';

export type Gateway = NestExpressApplication;

export interface GatewayOptions {
  readonly limits?: HttpLimits;
  /** Default: none of the settings that were given can be changed while the gateway runs. */
  readonly origin?: SettingsOrigin;
}

/** Makes the whole gateway, not yet listening; `main.ts` and the end-to-end tests start from here. */
export async function createGateway(
  settings: Settings,
  { limits = DEFAULT_HTTP_LIMITS, origin }: GatewayOptions = {},
): Promise<Gateway> {
  const gateway = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(settings, origin),
    new GatewayHttpAdapter(limits),
    // Lines wait for the real logger; if there will be none, the error that is thrown says what is wrong.
    { ...APP_OPTIONS, bufferLogs: true, autoFlushLogs: false, abortOnError: false },
  );
  gateway.useLogger(gateway.get(Logger));
  gateway.flushLogs();
  // First of all, so that whatever refuses a call to the API, its call is in the log.
  const requestLog = gateway.get(RequestLogMiddleware);
  gateway.use('/v1', requestLog.use.bind(requestLog));
  configureApp(gateway, settings);
  return gateway;
}
