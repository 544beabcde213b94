import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import { Settings } from './common/config/settings.js';
import { type SettingsConfig } from './common/config/settings-loader.js';
import { APP_OPTIONS, configureApp } from './common/http/configure-app.js';
import { GatewayHttpAdapter, type HttpLimits } from './common/http/server/gateway-http-adapter.js';
import { logApiCalls } from './logs/log-api-calls.js';

export type Gateway = NestExpressApplication;

/**
 * Creates the whole gateway, not yet listening; `start/start.ts` and the end-to-end tests start here.
 * @throws SettingsError naming every bad key
 */
export async function createGateway(config: SettingsConfig, limits?: HttpLimits): Promise<Gateway> {
  const gateway = await NestFactory.create<NestExpressApplication>(
    await AppModule.forRoot(config),
    new GatewayHttpAdapter(limits),
    // Lines are held for the real logger. Without one, the start has failed, and the error is thrown.
    { ...APP_OPTIONS, bufferLogs: true, autoFlushLogs: false, abortOnError: false },
  );
  gateway.useLogger(gateway.get(Logger));
  gateway.flushLogs();
  logApiCalls(gateway);
  configureApp(gateway, gateway.get(Settings));
  return gateway;
}
