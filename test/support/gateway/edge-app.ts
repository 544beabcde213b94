import { Body, Controller, Get, HttpCode, Module, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { type Response } from 'express';
import { Settings } from '../../../src/common/config/settings.js';
import { SettingsModule } from '../../../src/common/config/settings.module.js';
import { AccessModule } from '../../../src/common/http/access/access.module.js';
import { Public } from '../../../src/common/http/access/public.decorator.js';
import { APP_OPTIONS, configureApp } from '../../../src/common/http/configure-app.js';
import { HttpEdgeModule } from '../../../src/common/http/http-edge.module.js';
import { GatewayHttpAdapter } from '../../../src/common/http/server/gateway-http-adapter.js';
import { Clock } from '../../../src/common/time/clock.js';
import { TimeModule } from '../../../src/common/time/time.module.js';
import { LocalTickets } from '../../../src/logs/stream/local-tickets.js';
import { LogStreamGuard } from '../../../src/logs/stream/log-stream.guard.js';
import { StreamTickets } from '../../../src/logs/stream/stream-tickets.js';
import { LENIENT_HTTP_LIMITS } from '../watch/lenient-limits.js';

class EchoDto {
  @IsString()
  model!: string;

  messages!: readonly object[];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  n?: number;
}

/** More than the system takes for a caller that does not read. */
const LARGE_BYTES = 16 * 2 ** 20;

/** Routes of the kinds that the gateway has, with nothing behind them. */
@Controller()
class EdgeController {
  @Post('v1/chat/completions')
  @HttpCode(200)
  create(@Body() dto: EchoDto): object {
    return { model: dto.model, fields: Object.keys(dto) };
  }

  @Get('v1/models')
  list(): object {
    return { object: 'list', data: [] };
  }

  @Get('v1/models/:id')
  find(@Param('id') id: string): object {
    return { id };
  }

  @Public()
  @UseGuards(LogStreamGuard)
  @Get('log/stream')
  stream(@Query('token') _token?: string): object {
    return { ok: true };
  }

  @Public()
  @Get('dashboard')
  page(): string {
    return '<!doctype html><title>page</title>';
  }

  @Post('dashboard/api/act')
  act(): object {
    return { done: true };
  }

  @Get('large')
  large(): string {
    return 'x'.repeat(LARGE_BYTES);
  }

  @Get('half')
  half(@Res() response: Response): never {
    response.write('half of an ans');
    throw new Error('secret detail');
  }

  @Get('broken')
  broken(): never {
    throw new Error('secret detail of /home/someone/file.ts');
  }
}

@Module({
  imports: [AccessModule, TimeModule],
  controllers: [EdgeController],
  providers: [
    { provide: StreamTickets, inject: [Clock], useFactory: (clock: Clock) => new LocalTickets(clock) },
  ],
})
class EdgeRoutesModule {}

/** A listening application that is all edge, and its base URL. */
export interface EdgeApp {
  readonly app: NestExpressApplication;
  readonly port: number;
  readonly url: string;
}

export async function startEdgeApp(
  changes: Partial<Settings> = {},
  limits = LENIENT_HTTP_LIMITS,
): Promise<EdgeApp> {
  const settings = Object.assign(new Settings(), changes);
  const app = await NestFactory.create<NestExpressApplication>(
    {
      module: class EdgeAppModule {},
      imports: [SettingsModule.forRoot(settings), HttpEdgeModule, EdgeRoutesModule],
    },
    new GatewayHttpAdapter(limits),
    { ...APP_OPTIONS, logger: false },
  );
  configureApp(app, settings);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, port: Number(new URL(url).port) };
}
