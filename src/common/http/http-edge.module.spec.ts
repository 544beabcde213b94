import { afterEach, describe, expect, test } from '@jest/globals';
import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  NotFoundException,
  type OnModuleInit,
  Post,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { type Request, type Response } from 'express';
import { Settings } from '../config/settings.js';
import { SettingsModule } from '../config/settings.module.js';
import { TimeModule } from '../time/time.module.js';
import { Public } from './access/public.decorator.js';
import { APP_OPTIONS, configureApp } from './configure-app.js';
import { HttpEdgeModule } from './http-edge.module.js';
import { GatewayHttpAdapter } from './server/gateway-http-adapter.js';

class NoteDto {
  @IsString()
  text!: string;
}

@Controller(['notes', 'v2/notes'])
class NotesController {
  @Get()
  list(): string[] {
    return ['a'];
  }

  @Post()
  add(@Body() note: NoteDto): NoteDto {
    return note;
  }

  @Delete(':id')
  remove(): never {
    throw new NotFoundException('secret row 5');
  }

  @All('any/*path')
  any(): never {
    throw new NotFoundException();
  }
}

@Public()
@Controller('pages')
class PagesController {
  @Get()
  page(): string {
    return 'page';
  }
}

@Injectable()
class FileServer implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const adapter: ExpressAdapter = this.host.httpAdapter as ExpressAdapter;
    adapter.use('/files', (_request: Request, response: Response) => response.send('a file'));
  }
}

let app: NestExpressApplication | undefined;

describe('HttpEdgeModule', () => {
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  /** The edge comes first here, although its answers for unknown paths must come last. */
  async function serve(): Promise<string> {
    const settings = Object.assign(new Settings(), { API_KEY: 'k' });
    @Module({ controllers: [NotesController, PagesController], providers: [FileServer] })
    class RoutesModule {}
    const testing = await Test.createTestingModule({
      imports: [SettingsModule.forRoot(settings), TimeModule, HttpEdgeModule, RoutesModule],
    }).compile();
    app = testing.createNestApplication<NestExpressApplication>(new GatewayHttpAdapter(), {
      ...APP_OPTIONS,
      logger: false,
    });
    configureApp(app, settings);
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }

  const WITH_KEY = { authorization: 'Bearer k', 'content-type': 'application/json' };

  describe('a route', () => {
    test.each([
      ['GET', '/notes', undefined],
      ['POST', '/notes', '{"text":'],
      ['POST', '/v2/notes', '{"text":"a"}'],
      ['DELETE', '/notes/5', undefined],
      ['GET', '/notes/any/thing', undefined],
      ['PATCH', '/notes', undefined],
      ['GET', '/nothing', undefined],
    ])('wants the key: %s %s', async (method, path, body?: string) => {
      const url = await serve();
      const response = await fetch(url + path, {
        method,
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    });

    test('wants its body valid', async () => {
      const url = await serve();
      const send = async (body: string): Promise<unknown> =>
        (await fetch(`${url}/v2/notes`, { method: 'POST', body, headers: WITH_KEY })).json();
      expect(await send('{"text":"a","more":1}')).toEqual({ text: 'a' });
      expect(await send('{"text":1}')).toEqual({
        error: {
          message: 'text must be a string.',
          type: 'invalid_request_error',
          param: 'text',
          code: 'invalid_request',
        },
      });
    });

    test('may be open to all', async () => {
      const response = await fetch(`${await serve()}/pages`);
      expect([response.status, await response.text()]).toEqual([200, 'page']);
    });
  });

  describe('a path without a matching route', () => {
    test.each([
      ['PATCH', '/notes', 405, 'GET, HEAD, POST'],
      ['PATCH', '/v2/notes/', 405, 'GET, HEAD, POST'],
      ['GET', '/notes/5', 405, 'DELETE'],
      ['POST', '/pages', 405, 'GET, HEAD'],
      ['DELETE', '/notes/5', 404, null],
      ['PUT', '/notes/any/thing', 404, null],
      ['GET', '/notes/5/6', 404, null],
      ['GET', '/', 404, null],
    ])('%s %s is answered %i', async (method, path, status, allow) => {
      const response = await fetch((await serve()) + path, { method, headers: WITH_KEY });
      expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
      expect(await response.text()).not.toContain('secret');
    });

    test('may be served by middleware that a module adds at its start, as file servers do', async () => {
      expect(await (await fetch(`${await serve()}/files/a.txt`)).text()).toBe('a file');
    });
  });
});
