import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { GatewayExceptionFilter } from './answer/gateway-exception.filter.js';
import { RouteFallback } from './answer/route-fallback.js';
import { RoutesModule } from './answer/routes.module.js';
import { BodyBudget } from './body/body-budget.js';
import { BodyMemoryModule } from './body/body-memory.module.js';
import { JsonBodyGuard } from './body/json-body.guard.js';
import { JsonBodyReader } from './body/json-body-reader.js';
import { UnknownQueryGuard } from './body/unknown-query.guard.js';
import { ValidationPipe } from './body/validation.pipe.js';

/** Guards, pipe and filter of every route: key, query, body, validation and error envelope, in that order. */
@Module({
  imports: [AccessModule, BodyMemoryModule, RoutesModule],
  providers: [
    BodyBudget,
    JsonBodyReader,
    RouteFallback,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: UnknownQueryGuard },
    { provide: APP_GUARD, useClass: JsonBodyGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
    { provide: APP_FILTER, useClass: GatewayExceptionFilter },
  ],
})
export class HttpEdgeModule {}
