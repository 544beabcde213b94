import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, API_KEY, ControllerApp } from '../../../../test/support/gateway/controller-app.js';
import { ModelsModule } from '../../../models/models.module.js';

const PAGE = 'https://chat.example';

describe('a page of another site', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(ModelsModule);
  });
  afterAll(() => app.close());
  beforeEach(() => {
    app.settings.ALLOWED_ORIGINS = `${PAGE}, http://localhost:3000`;
  });

  const ask = (method: string, path: string, origin: string, headers = {}, key = API_KEY): Promise<Answer> =>
    app.ask(method, path, { key, headers: { origin, 'sec-fetch-site': 'cross-site', ...headers } });
  const asksFirst = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,x-stainless-os',
  };

  it('may ask without a key whether it may call, if it is named', async () => {
    const { status, headers } = await ask('OPTIONS', '/v1/chat/completions', PAGE, asksFirst, '');
    expect(status).toBe(204);
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')))).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET,POST,DELETE',
      'access-control-allow-headers': 'authorization,x-stainless-os',
      'access-control-expose-headers': '*',
      'access-control-max-age': '600',
    });
    expect(headers.get('vary')).toContain('Origin');
  });

  it.each([
    [PAGE, API_KEY, 200],
    ['http://localhost:3000', API_KEY, 200],
    [PAGE, '', 401],
  ])('%s reads answers and errors, with the key %j: %d', async (origin, key, status) => {
    const answer = await ask('GET', '/v1/models', origin, {}, key);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, origin]);
  });

  it.each([
    ['another origin', '/v1/models', 'https://evil.example'],
    ['a part of its name', '/v1/models', 'https://chat.example.evil.example'],
    ['no origin of its own', '/v1/models', 'null'],
    ['what is no endpoint of the API', '/dashboard/api/settings', PAGE],
    ['another spelling', '/V1/models', PAGE],
  ])('is refused with %s', async (_what, path, origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { status, headers, body } = await ask(method, path, origin, asksFirst);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect(body).toMatchObject({ error: { code: 'origin_not_allowed' } });
    }
  });

  it('is known as soon as the setting has changed', async () => {
    app.settings.ALLOWED_ORIGINS = '';
    expect((await ask('GET', '/v1/models', PAGE)).status).toBe(403);
    app.settings.ALLOWED_ORIGINS = PAGE;
    expect((await ask('GET', '/v1/models', PAGE)).status).toBe(200);
  });
});
