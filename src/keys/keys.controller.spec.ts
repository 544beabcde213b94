import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { withinOneDay } from '../../test/support/watch/one-day.js';
import { KeyRegistry } from './key-registry.js';
import { KeysModule } from './keys.module.js';
import { KeyLimiters } from './limits/key-limiters.js';

const LIMITS = { requestsPerMinute: 60, concurrentRequests: 4, tokensPerDay: 100_000 };

describe('routes of KeysController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(KeysModule);
    await app.logReady();
  });
  afterAll(() => app.close());

  describeRoutes(() => app, {
    'GET /dashboard/api/keys': { good: { body: { configured: ['API_KEY'], isLocked: true } } },
    'POST /dashboard/api/keys': {
      bad: [
        [{}, 'name'],
        [{ name: 'two words' }, 'name'],
        [{ name: 'a\r\nSet-Cookie: b=1' }, 'name'],
        [{ name: 'API_KEY' }, 'name'],
        [{ name: 'a', role: 'root' }, 'role'],
        [{ name: 'a', models: [] }, 'models'],
        [{ name: 'a', models: [1] }, 'models'],
        [{ name: 'a', requestsPerMinute: 0 }, 'requestsPerMinute'],
        [{ name: 'a', concurrentRequests: 1.5 }, 'concurrentRequests'],
        [{ name: 'a', tokensPerDay: '5' }, 'tokensPerDay'],
        [{ name: 'a', priority: 'high' }, 'priority'],
        [{ name: 'a', isEnabled: 'no' }, 'isEnabled'],
        [{ name: 'a', expiresAt: 'tomorrow' }, 'expiresAt'],
        [{ name: 'a', expiresAt: 1 }, 'expiresAt'],
        [{ name: 'a', requestsPerMin: 60 }, 'requestsPerMin'],
      ],
      good: {
        input: { name: 'ann', ...LIMITS, models: ['svc-max'] },
        status: 201,
        body: { name: 'ann', role: 'caller', state: 'active', models: ['svc-max'], ...LIMITS },
      },
    },
    'PATCH /dashboard/api/keys/nobody': {
      bad: [[{ tokens: 1 }, 'tokens']],
      good: { input: {}, status: 404 },
    },
    'POST /dashboard/api/keys/nobody/rotate': {
      bad: [[{ overlap: 0 }, 'overlap']],
      good: { input: {}, status: 404 },
    },
    'POST /dashboard/api/keys/nobody/revoke': {
      bad: [[{ run: 'finish' }, 'run']],
      good: { input: {}, status: 404 },
    },
    'GET /v1/usage': {
      bad: [
        ['?days=0', 'days'],
        ['?days=367', 'days'],
      ],
      good: { body: { object: 'list', data: [] } },
    },
    'GET /dashboard/api/usage': {
      bad: [
        ['?days=x', 'days'],
        ['?format=xml', 'format'],
      ],
      good: { body: { rows: [] } },
    },
    'GET /dashboard/api/audit': {
      bad: [
        ['?limit=0', 'limit'],
        ['?before=x', 'before'],
      ],
      good: { body: { actions: expect.any(Array) } },
    },
  });
});

describe('KeysController', () => {
  let app: ControllerApp;

  beforeEach(withinOneDay);
  beforeEach(async () => {
    app = await ControllerApp.start(KeysModule);
    await app.logReady();
  });
  afterEach(() => app.close());

  const post = (path: string, body: object, key?: string): Promise<Answer> =>
    app.ask('POST', `/dashboard/api/keys${path}`, { body, key });
  const make = async (name: string, properties: object = {}): Promise<string> => {
    const { body } = await post('', { name, ...properties });
    return (body as { secret: string }).secret;
  };
  const statusOf = async (key: string): Promise<number> =>
    (await app.ask('POST', '/log/ticket', { key, body: {} })).status;

  it('shows a secret once, and its beginning later', async () => {
    const secret = await make('ann');
    expect(secret).toMatch(/^gwk_[\w-]{43}$/);
    const { body, text } = await app.ask('GET', '/dashboard/api/keys');
    expect(body).toMatchObject({
      keys: [{ name: 'ann', secrets: [{ prefix: secret.slice(0, 10), expiresAt: null }] }],
    });
    expect(text).not.toContain(secret);
    const audit = await app.ask('GET', '/dashboard/api/audit');
    expect(audit.body).toMatchObject({
      actions: [{ actor: 'API_KEY', action: 'key.create', subject: 'ann' }],
    });
    expect(audit.text).not.toContain(secret);
  });

  it('tells what of its limits a key has in use', async () => {
    const key = await make('ann', LIMITS);
    const unused = { requestsPerMinute: 0, concurrentRequests: 0, tokensPerDay: 0 };
    const inUse = async (): Promise<unknown> => (await app.ask('GET', '/dashboard/api/keys')).body;
    expect(await inUse()).toMatchObject({ isDivided: false, keys: [{ name: 'ann', inUse: unused }] });
    await statusOf(key);
    await statusOf(key);
    app.app.get(KeyLimiters).count(app.app.get(KeyRegistry).list()[0]!, 700);
    expect(await inUse()).toMatchObject({
      keys: [{ inUse: { requestsPerMinute: 2, concurrentRequests: 0, tokensPerDay: 700 } }],
    });
  });

  it('lets a caller in where callers may go, and nowhere else', async () => {
    const key = await make('ann');
    expect(await statusOf(key)).toBe(201);
    expect(await app.ask('GET', '/dashboard/api/keys', { key })).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
    const operator = await make('olga', { role: 'operator' });
    expect((await app.ask('GET', '/dashboard/api/keys', { key: operator })).status).toBe(200);
  });

  it.each([
    ['disabled', { isEnabled: false }, 'The API key is disabled.'],
    ['expired', { expiresAt: 1 }, 'The API key has expired.'],
  ])('refuses a key that is %s, until that is changed', async (_, change, message) => {
    const key = await make('ann');
    await app.ask('PATCH', '/dashboard/api/keys/ann', { body: change });
    expect(await app.ask('POST', '/log/ticket', { key, body: {} })).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_api_key', message } },
    });
    await app.ask('PATCH', '/dashboard/api/keys/ann', { body: { isEnabled: true, expiresAt: null } });
    expect(await statusOf(key)).toBe(201);
  });

  it('accepts both secrets of a rotated key during the overlap, and the new one alone without', async () => {
    const first = await make('ann');
    const rotate = async (overlapMs: number): Promise<string> =>
      ((await post('/ann/rotate', { overlapMs })).body as { secret: string }).secret;
    const second = await rotate(60_000);
    expect([await statusOf(first), await statusOf(second)]).toEqual([201, 201]);
    const third = await rotate(0);
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 201]);
  });

  it.each([
    ['disabled', 'PATCH', '', { isEnabled: false }],
    ['revoked', 'POST', '/revoke', {}],
  ] as const)('shows no secret that had expired before its key was %s', async (state, method, path, body) => {
    await make('ann');
    const rotated = await post('/ann/rotate', { overlapMs: 0 });
    const { secret } = rotated.body as { secret: string };
    expect(await app.ask(method, `/dashboard/api/keys/ann${path}`, { body })).toMatchObject({
      status: 200,
      body: { state, secrets: [{ prefix: secret.slice(0, 10), expiresAt: null }] },
    });
  });

  it('refuses a revoked key for ever, and keeps its name', async () => {
    const key = await make('ann');
    expect(await post('/ann/revoke', { running: 'finish' })).toMatchObject({
      status: 200,
      body: { state: 'revoked' },
    });
    expect(await statusOf(key)).toBe(401);
    expect(await post('', { name: 'ann' })).toMatchObject({
      status: 400,
      body: { error: { param: 'name' } },
    });
    expect((await post('/ann/rotate', {})).status).toBe(404);
    expect((await app.ask('PATCH', '/dashboard/api/keys/ann', { body: { isEnabled: true } })).status).toBe(
      404,
    );
    expect((await post('/ann/revoke', {})).status).toBe(404);
  });

  it('refuses requests beyond the limit of a minute with what is left and when it ends', async () => {
    const key = await make('ann', { requestsPerMinute: 2 });
    const answers = [];
    for (let count = 0; count < 3; count += 1) {
      answers.push(await app.ask('POST', '/log/ticket', { key, body: {} }));
    }
    expect(
      answers.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining-requests')]),
    ).toEqual([
      [201, '1'],
      [201, '0'],
      [429, '0'],
    ]);
    const refused = answers[2];
    expect(refused?.body).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limit' } });
    expect(refused?.headers.get('x-gateway-reason')).toBe('key_limited');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(50);
  });
});

describe('KeysController without a key', () => {
  it('has an operator first, and is closed from then on', async () => {
    const app = await ControllerApp.start(KeysModule, { settings: { API_KEY: '' } });
    const make = (body: object, key: string): Promise<Answer> =>
      app.ask('POST', '/dashboard/api/keys', { body, key });
    try {
      expect(await make({ name: 'ann' }, '')).toMatchObject({
        status: 400,
        body: { error: { param: 'role' } },
      });
      const { body } = await make({ name: 'olga', role: 'operator' }, '');
      const { secret } = body as { secret: string };
      expect((await app.ask('GET', '/dashboard/api/keys', { key: '' })).status).toBe(401);
      expect((await make({ name: 'ann' }, secret)).status).toBe(201);
      const change = { body: { isEnabled: false }, key: secret };
      expect(await app.ask('PATCH', '/dashboard/api/keys/olga', change)).toMatchObject({ status: 400 });
      const revoke = { body: {}, key: secret };
      expect(await app.ask('POST', '/dashboard/api/keys/olga/revoke', revoke)).toMatchObject({ status: 400 });
    } finally {
      await app.close();
    }
  });
});
