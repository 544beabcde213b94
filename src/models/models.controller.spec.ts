import { afterEach, describe, expect, it } from '@jest/globals';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { Settings } from '../common/config/settings.js';
import { SettingsModule } from '../common/config/settings.module.js';
import { APP_OPTIONS, configureApp } from '../common/http/configure-app.js';
import { HttpEdgeModule } from '../common/http/http-edge.module.js';
import { GatewayHttpAdapter } from '../common/http/server/gateway-http-adapter.js';
import { ModelsModule } from './models.module.js';

describe('ModelsController', () => {
  let app: NestExpressApplication | undefined;

  afterEach(() => app?.close());

  async function get(
    path: string,
    changes: Partial<Settings> = {},
    init?: RequestInit,
  ): Promise<[number, unknown]> {
    const settings = Object.assign(new Settings(), changes);
    const module = await Test.createTestingModule({
      imports: [SettingsModule.forRoot(settings), ModelsModule, HttpEdgeModule],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>(new GatewayHttpAdapter(), {
      ...APP_OPTIONS,
      logger: false,
    });
    configureApp(app, settings);
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}${path}`, init);
    return [response.status, await response.json()];
  }

  const model = (id: string): object => ({
    id,
    object: 'model',
    created: 1_735_689_600,
    owned_by: 'chat-completion-gateway',
    context_window: 1_000_000,
    max_output_tokens: 65_536,
    modalities: ['text'],
  });

  it('lists the models', async () => {
    expect(await get('/v1/models')).toEqual([
      200,
      {
        object: 'list',
        data: ['svc-max', 'svc-plus', 'svc-max-no-thinking', 'svc-plus-no-thinking'].map(model),
      },
    ]);
  });

  it('shows one model', async () => {
    expect(await get('/v1/models/svc-plus-no-thinking')).toEqual([200, model('svc-plus-no-thinking')]);
  });

  it('shows a model whose name has a slash in it', async () => {
    const small = { contextWindow: 10, maxOutputTokens: 5, thinking: true };
    const [status, body] = await get('/v1/models/vendor%2Fsmall', { models: { 'vendor/small': small } });
    expect([status, body]).toMatchObject([
      200,
      { id: 'vendor/small', context_window: 10, max_output_tokens: 5 },
    ]);
  });

  it('does not know other models', async () => {
    expect(await get('/v1/models/svc-mini')).toEqual([
      404,
      {
        error: {
          message: "The model 'svc-mini' does not exist. GET /v1/models lists the available ones.",
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      },
    ]);
  });

  it.each(['/v1/models', '/v1/models/svc-max', '/v1/models/svc-mini'])(
    'asks for the key at %s',
    async (path) => {
      const settings = { API_KEY: 'key-1' };
      const refused = { error: { code: 'invalid_api_key', type: 'authentication_error' } };
      expect(await get(path, settings)).toMatchObject([401, refused]);
    },
  );

  it('answers whoever has the key', async () => {
    const [status] = await get(
      '/v1/models',
      { API_KEY: 'key-1' },
      { headers: { authorization: 'Bearer key-1' } },
    );
    expect(status).toBe(200);
  });

  it('takes no other method', async () => {
    const [status, body] = await get('/v1/models', {}, { method: 'DELETE' });
    expect([status, body]).toMatchObject([405, { error: { code: 'method_not_allowed' } }]);
  });
});
