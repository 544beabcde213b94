import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { BodyBudget } from './body-budget.js';
import { GatewayExceptionFilter } from './gateway-exception.filter.js';
import { JsonBodyGuard } from './json-body.guard.js';
import { JsonBodyReader } from './json-body.reader.js';
import { RouteFallback } from './route-fallback.js';
import { ValidationPipe } from './validation.pipe.js';

/** What every route has: the key, the body, validation and the error envelope, in that order. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ApiKeyAuthenticator,
    BodyBudget,
    JsonBodyReader,
    RouteFallback,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: JsonBodyGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
    { provide: APP_FILTER, useClass: GatewayExceptionFilter },
  ],
})
export class HttpEdgeModule {}
