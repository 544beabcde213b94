import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Param, Req, Res } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { type Request, type Response } from 'express';
import { LogEntries } from '../../test/support/gateway/log-entries.js';
import { Settings } from '../common/config/settings.js';
import { SettingsModule } from '../common/config/settings.module.js';
import { AccessModule } from '../common/http/access/access.module.js';
import { RoutesModule } from '../common/http/answer/routes.module.js';
import { TimeModule } from '../common/time/time.module.js';
import { LogsModule } from './logs.module.js';
import { LogsService } from './logs.service.js';
import { type RequestLogEntry } from './records/request-log-entry.js';
import { type OpenRequestLog } from './request-log.js';
import { claimRequestLog, RequestLogMiddleware } from './request-log.middleware.js';

const events = new EventEmitter();

@Controller()
class Routes {
  @Get('status/:code')
  answer(@Param('code') code: string, @Req() request: Request, @Res() response: Response): void {
    response.once('close', () => events.emit('closed'));
    events.emit('began', request, response);
    response.status(Number(code)).end('x');
  }

  @Get('slow')
  hang(@Req() request: Request, @Res() response: Response): void {
    response.once('close', () => events.emit('closed'));
    events.emit('began', request, response);
  }
}

@Module({ imports: [AccessModule, LogsModule, RoutesModule], controllers: [Routes] })
class TestedModule {}

describe('RequestLogMiddleware', () => {
  let app: NestExpressApplication;
  let entries: LogEntries;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'request-log-'));
    const settings = Object.assign(new Settings(), { DATA_DIR: folder });
    const module = await Test.createTestingModule({
      imports: [SettingsModule.forRoot(settings), TimeModule, TestedModule],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    const middleware = app.get(RequestLogMiddleware);
    app.use((...call: Parameters<RequestLogMiddleware['use']>) => middleware.use(...call));
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
    entries = new LogEntries(module.get(LogsService, { strict: false }));
  });

  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  /** Sends a request and waits until its response is closed on our side. */
  async function call(
    path: string,
    onBegan: (...args: [Request, Response]) => void = () => undefined,
  ): Promise<void> {
    events.once('began', onBegan);
    const closed = once(events, 'closed');
    const response = await fetch(`${origin}${path}?token=secret`);
    await response.text();
    await closed;
  }

  const newest = (): RequestLogEntry => entries.newest!;

  it.each([
    ['200', 'ok'],
    ['204', 'ok'],
    ['400', 'client_error'],
    ['404', 'client_error'],
    ['429', 'rate_limited'],
    ['500', 'upstream_error'],
  ])('closes the entry of an answer %s as %s', async (code, outcome) => {
    await call(`/status/${code}`);
    expect(newest()).toEqual({
      kind: 'request',
      id: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      method: 'GET',
      path: `/status/${code}`,
      startedAt: expect.any(Number),
      outcome,
      status: Number(code),
      client: 'node',
      totalMs: expect.any(Number),
    });
  });

  it('shows a request that is under way as pending, and one whose caller left as cancelled', async () => {
    const controller = new AbortController();
    const began = once(events, 'began');
    const closed = once(events, 'closed');
    const gone = fetch(`${origin}/slow`, { signal: controller.signal });
    await began;
    expect(newest()).toMatchObject({ path: '/slow', outcome: 'pending' });
    controller.abort();
    await expect(gone).rejects.toThrow();
    await closed;
    expect(newest()).toMatchObject({ path: '/slow', outcome: 'cancelled' });
    expect(newest()).not.toHaveProperty('status');
  });

  it('keeps the status of an answer whose caller left in the middle', async () => {
    const closed = once(events, 'closed');
    const controller = new AbortController();
    events.once('began', (_request: Request, response: Response) => response.status(200).write('x'));
    const { body } = await fetch(`${origin}/slow`, { signal: controller.signal });
    await body!.getReader().read();
    controller.abort();
    await closed;
    expect(newest()).toMatchObject({ outcome: 'cancelled', status: 200 });
  });

  it('leaves an entry to whoever claims it, who can claim it once', async () => {
    let log: OpenRequestLog | undefined;
    let second: unknown;
    await call('/status/200', (request) => {
      log = claimRequestLog(request);
      try {
        claimRequestLog(request);
      } catch (error) {
        second = error;
      }
    });
    expect(newest()).toMatchObject({ outcome: 'pending', receivedMs: expect.any(Number) });
    log?.finish('shutdown');
    expect(newest().outcome).toBe('shutdown');
    expect(second).toEqual(new Error('No log entry is open for /status/200'));
  });
});
