import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { WaitingServer } from './waiting-server.js';

describe('WaitingServer', () => {
  let server: WaitingServer;

  beforeAll(async () => {
    server = await WaitingServer.listen(Object.assign(new Settings(), { PORT: 0 }));
  });

  afterAll(() => server.close());

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init);

  const MESSAGE_ERROR = { type: 'error', error: { type: 'api_error' }, request_id: expect.any(String) };

  it.each([
    ['/v1/chat/completions', { error: { type: 'server_error', code: 'internal_error' } }],
    ['/v1/responses', { error: { type: 'server_error', code: 'server_error' } }],
    ['/v1/responses/resp_1?stream=true', { error: { code: 'server_error' } }],
    ['/v1/messages', MESSAGE_ERROR],
    ['/V1/Messages/count_tokens?beta=true', MESSAGE_ERROR],
    ['/v1/messages/unknown', MESSAGE_ERROR],
    ['/v1/messages2', { error: { code: 'internal_error' } }],
  ])('refuses POST %s in the format of its endpoint', async (path, body) => {
    const response = await ask(path, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('x-gateway-reason')]).toEqual([500, 'database_away']);
    expect(await response.json()).toMatchObject(body);
  });

  it('refuses other paths in the format of their callers', async () => {
    const headers = { 'anthropic-version': '2023-06-01' };
    expect(await (await ask('/v1/models', { headers })).json()).toMatchObject(MESSAGE_ERROR);
    const chat = await ask('/v1/chat/completions', { method: 'POST', headers });
    expect(await chat.json()).toMatchObject({ error: { code: 'internal_error' } });
  });

  it('lives, and is not ready', async () => {
    expect([(await ask('/health')).status, (await ask('/health/ready')).status]).toEqual([200, 503]);
  });
});
