import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { IsString, MinLength } from 'class-validator';
import { type Request, type Response } from 'express';
import { AppModule } from '../../src/app.module.js';
import { ChatModule } from '../../src/chat/chat.module.js';
import { ChatService } from '../../src/chat/chat.service.js';
import { type StreamFrames } from '../../src/chat/completion/output/stream-frames.js';
import { Settings } from '../../src/common/config/settings.js';
import { settingsFromCode } from '../../src/common/config/settings-loader.js';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../src/common/errors/error-format.js';
import { type GatewayError } from '../../src/common/errors/gateway.errors.js';
import { AnswersErrorsAs } from '../../src/common/http/answer/answers-errors-as.decorator.js';
import { APP_OPTIONS, configureApp } from '../../src/common/http/configure-app.js';
import { GatewayHttpAdapter } from '../../src/common/http/server/gateway-http-adapter.js';
import { logApiCalls } from '../../src/logs/log-api-calls.js';
import { LoggedAs } from '../../src/logs/logged-as.decorator.js';
import { ModelCatalog } from '../../src/models/model-catalog.js';
import { ModelsModule } from '../../src/models/models.module.js';
import { readBody } from '../support/gateway/read-body.js';
import { OpenAiStub } from '../support/upstream/openai-stub.js';
import { answer, resets } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/* A whole endpoint in a wire format of its own, as a module of a team would bring it. */

const PLAIN_ERRORS: ErrorFormat = {
  ...DEFAULT_ERROR_FORMAT,
  body: ({ code, message, param }) => ({ problem: message, code, ...(param && { field: param }) }),
};

class SayDto {
  @IsString()
  @MinLength(1)
  text!: string;
}

/** Text as it is, one event a piece. */
class PlainFrames implements StreamFrames {
  readonly heartbeat = (): string => ': wait\n\n';
  begin = (): string => 'event: start\ndata: {}\n\n';
  text = (text: string): string => `data: ${JSON.stringify(text)}\n\n`;
  reasoning = (): string => '';
  refusal = this.text;
  toolCall = (): string => '';
  end = (): string => 'event: end\ndata: {}\n\n';
  error = (error: GatewayError): string =>
    `event: error\ndata: ${JSON.stringify(PLAIN_ERRORS.body(error, ''))}\n\n`;
}

@AnswersErrorsAs(PLAIN_ERRORS)
@Controller('v1/say')
class SayController {
  constructor(
    private readonly chat: ChatService,
    private readonly models: ModelCatalog,
  ) {}

  @Post()
  @LoggedAs('completion')
  async say(@Body() { text }: SayDto, @Req() http: Request, @Res() response: Response): Promise<void> {
    const findModel = await this.models.finder();
    const request = {
      model: findModel('svc-max'),
      messages: [{ role: 'user', content: text }],
      stream: true,
      thinking: false,
      params: { temperature: 1, topP: 1, maxTokens: 100, stop: [] },
      tools: [],
      toolChoice: 'auto',
      parallelToolCalls: true,
      responseFormat: { type: 'text' },
      fieldNames: { messages: 'messages', schema: 'schema' },
    } as const;
    const format = { frames: () => new PlainFrames(), toBody: () => ({}) };
    await this.chat.answer(http, response, request, format);
  }
}

@Module({ imports: [ChatModule, ModelsModule], controllers: [SayController] })
class SayModule {}

describe('a module with a completion endpoint of its own', () => {
  let folder: string;
  let stub: OpenAiStub;
  let app: NestExpressApplication;
  let origin: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'say-'));
    stub = await OpenAiStub.start();
    const settings = Object.assign(new Settings(), {
      DATA_DIR: folder,
      API_KEY: 'key-1',
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: stub.baseUrl,
      UPSTREAM_API_KEYS: 'k1',
      RETRY_MAX_ATTEMPTS: 1,
      LOG_LEVEL: 'silent',
    } satisfies Partial<Settings>);
    const imports = [await AppModule.forRoot(settingsFromCode(settings)), SayModule];
    app = await NestFactory.create<NestExpressApplication>(
      { module: class ExtendedGateway {}, imports },
      new GatewayHttpAdapter(),
      { ...APP_OPTIONS, logger: false },
    );
    logApiCalls(app);
    configureApp(app, settings);
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
  });

  afterAll(async () => {
    await app.close();
    await stub.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function say(body: object, key = 'key-1', method = 'POST'): Promise<[number, string]> {
    const response = await fetch(`${origin}/v1/say`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: method === 'POST' ? JSON.stringify(body) : undefined,
    });
    return [response.status, (await readBody(response)).text];
  }

  async function get(path: string): Promise<string> {
    const response = await fetch(origin + path, { headers: { authorization: 'Bearer key-1' } });
    return response.text();
  }

  it('answers, refuses and fails in its own format', async () => {
    stub.answerWith(answer({ pieces: ['Hel', 'lo.'] }));
    expect(await say({ text: 'Hi' })).toEqual([
      200,
      ': wait\n\nevent: start\ndata: {}\n\ndata: "Hel"\n\ndata: "lo."\n\nevent: end\ndata: {}\n\n',
    ]);
    expect(await say({ text: '' })).toEqual([
      400,
      expect.stringMatching(/^\{"problem":".*text.*","code":"invalid_request","field":"text"\}$/),
    ]);
    expect(await say({ text: 'Hi' }, 'wrong')).toEqual([
      401,
      '{"problem":"The API key is wrong.","code":"invalid_api_key"}',
    ]);
    expect(await say({}, 'key-1', 'GET')).toEqual([
      405,
      '{"problem":"This path takes POST only.","code":"method_not_allowed"}',
    ]);
    stub.answerWith(resets(1));
    const [status, text] = await say({ text: 'Hi' });
    expect(status).toBe(200);
    expect(text).toMatch(/\n\nevent: error\ndata: \{"problem":".*","code":"internal_error"\}\n\n$/);
  });

  it('is in the metrics, the overview and the log', async () => {
    const counted = (await get('/metrics'))
      .split('\n')
      .filter((line) => line.startsWith('gateway_requests_total'));
    expect(counted.toSorted()).toEqual([
      'gateway_requests_total{outcome="client_error",status="400",model="none"} 1',
      'gateway_requests_total{outcome="ok",status="200",model="svc-max"} 1',
      'gateway_requests_total{outcome="upstream_error",status="200",model="svc-max"} 1',
    ]);
    await eventually(PATIENCE_MS, async () => {
      const { totals } = JSON.parse(await get('/dashboard/api/overview')) as { totals: object };
      expect(totals).toMatchObject({ running: 0, requests: 3 });
    });
    const { entries } = JSON.parse(await get('/log/json?kind=request')) as {
      entries: { path: string; operation?: string; outcome: string }[];
    };
    expect(entries.map(({ path, operation, outcome }) => [path, operation, outcome])).toEqual([
      ['/v1/say', 'completion', 'upstream_error'],
      ['/v1/say', undefined, 'client_error'],
      // Who has no key is no caller of the endpoint.
      ['/v1/say', undefined, 'client_error'],
      ['/v1/say', 'completion', 'client_error'],
      ['/v1/say', 'completion', 'ok'],
    ]);
  });
});
