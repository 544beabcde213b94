import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { ModelsModule } from './models.module.js';

describe('ModelsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(ModelsModule);
  });
  afterAll(() => app.close());

  const get = async (path: string): Promise<[number, unknown]> => {
    const { status, body } = await app.ask('GET', path);
    return [status, body];
  };

  const model = (id: string): object => ({
    id,
    object: 'model',
    created: 1_735_689_600,
    owned_by: 'chat-completion-gateway',
    context_window: 1_000_000,
    context_length: 1_000_000,
    max_model_len: 1_000_000,
    max_output_tokens: 65_536,
    modalities: ['text'],
  });

  describeRoutes(() => app, {
    'GET /v1/models': { good: { body: { object: 'list' } } },
    'GET /v1/models/svc-max': { good: { body: { id: 'svc-max' } } },
    'GET /v1/models/svc-mini': { good: { status: 404 } },
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

  it.each(['vendor%2Fsmall', 'vendor/small'])('shows a model whose name has a slash: %s', async (path) => {
    const small = { contextWindow: 10, maxOutputTokens: 5, thinking: true };
    app.settings.models = { 'vendor/small': small };
    try {
      expect(await get(`/v1/models/${path}`)).toMatchObject([
        200,
        { id: 'vendor/small', context_window: 10, max_output_tokens: 5 },
      ]);
    } finally {
      app.settings.models = undefined;
    }
  });

  it('answers an unknown model with 404', async () => {
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

  it('answers other methods with 405', async () => {
    const answer = await app.ask('DELETE', '/v1/models');
    expect(answer).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed' } } });
  });
});
