import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, API_KEY, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { type ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { AccountCommands } from '../accounts/registry/account-commands.js';
import { AccountHealth } from '../accounts/registry/account-health.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { LoginRequiredError } from '../upstream/upstream.errors.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { DashboardModule } from './dashboard.module.js';

const ROUTE = '/dashboard/api/accounts';
const PNG = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

let app: ControllerApp;
let registry: AccountRegistry;
let commands: AccountCommands;
let health: AccountHealth;
let seedId: string;

beforeAll(async () => {
  app = await ControllerApp.start(DashboardModule, {
    accounts: [{ name: 'seed', credentials: { user: 'ann', password: 'pass-of-ann' } }],
  });
  registry = app.app.get(AccountRegistry);
  commands = app.app.get(AccountCommands);
  health = app.app.get(AccountHealth);
});

beforeEach(async () => {
  for (const { id, source } of registry.list()) {
    if (source === 'operator') {
      await commands.remove(null, id);
    } else {
      seedId = id;
    }
  }
});

afterAll(() => app.close());

const ask = (method: string, path = '', body?: unknown): Promise<Answer> =>
  app.ask(method, ROUTE + path, { body });
const addMine = async () => (await commands.add(null, 'mine', { key: 'secret-of-mine' })).id;

describe('AccountsController', () => {
  describeRoutes(() => app, {
    [`GET ${ROUTE}`]: {
      bad: [['?state=ready', 'state']],
      good: { body: { accounts: [{ name: 'seed' }] } },
    },
    [`POST ${ROUTE}`]: {
      bad: [
        [{ credentials: { key: 'k' } }, 'name'],
        [{ name: 'n' }, 'credentials'],
      ],
      good: { input: { name: 'n', credentials: { key: 'k' } }, status: 201, body: { name: 'n' } },
    },
    [`PATCH ${ROUTE}/x`]: { bad: [[{}, 'credentials']] },
    [`DELETE ${ROUTE}/x`]: {},
    [`POST ${ROUTE}/x/enable`]: {},
    [`POST ${ROUTE}/x/disable`]: {},
    [`POST ${ROUTE}/login`]: {},
    [`POST ${ROUTE}/x/login`]: {},
    [`POST ${ROUTE}/x/clear-cooldown`]: {},
    [`GET ${ROUTE}/x/evidence`]: {},
    [`GET ${ROUTE}/x/evidence/screenshot`]: {},
  });

  it.each([
    ['PATCH', '/x', { credentials: { key: 'k' } }],
    ['DELETE', '/x', undefined],
    ['POST', '/x/enable', undefined],
    ['POST', '/x/disable', undefined],
    ['POST', '/x/login', undefined],
    ['POST', '/x/clear-cooldown', undefined],
    ['GET', '/x/evidence', undefined],
    ['GET', '/x/evidence/screenshot', undefined],
  ])('%s %s answers an unknown account with 404', async (method, path, body) => {
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: {
        message: "There is no account 'x'.",
        type: 'invalid_request_error',
        param: null,
        code: 'not_found',
      },
    });
  });
});

describe('GET accounts', () => {
  it('lists accounts and pool without secrets', async () => {
    const { status, body } = await ask('GET');
    expect(status).toBe(200);
    expect(body).toEqual({
      accounts: [
        {
          id: seedId,
          name: 'seed',
          source: 'configuration',
          state: 'ready',
          sessions: 1,
          idle: 1,
          leases: 0,
          opening: 0,
          requests: 0,
          failures: 0,
          rateLimits: 0,
          createdAt: registry.get(seedId).createdAt,
          lastLoginAt: registry.get(seedId).lastLoginAt,
          credentialNames: ['user', 'password'],
        },
      ],
      pool: { sessions: 1, idle: 1, leases: 0, opening: 0, waiting: 0 },
      canHandOver: false,
      credentialFields: [],
    });
    expect(JSON.stringify(body)).not.toContain('pass-of-ann');
  });
});

describe('POST accounts', () => {
  it('adds the account and answers with it', async () => {
    const { status, body } = await ask('POST', '', { name: 'mine', credentials: { key: 'secret-of-mine' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'mine', source: 'operator', credentialNames: ['key'] });
    expect(JSON.stringify(body)).not.toContain('secret-of-mine');
    expect(registry.list().map(({ name }) => name)).toEqual(['seed', 'mine']);
  });

  it.each([
    ['no name', { credentials: { key: 'k' } }, 'name'],
    ['a name of another type', { name: 7, credentials: { key: 'k' } }, 'name'],
    ['an empty name', { name: '', credentials: { key: 'k' } }, 'name'],
    ['a name with a line break', { name: 'a\nb', credentials: { key: 'k' } }, 'name'],
    ['a name with a NUL', { name: '\0', credentials: { key: 'k' } }, 'name'],
    ['a name that begins with a space', { name: ' a', credentials: { key: 'k' } }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101), credentials: { key: 'k' } }, 'name'],
    ['a name that is taken', { name: 'seed', credentials: { key: 'k' } }, 'name'],
    ['no credentials', { name: 'n' }, 'credentials'],
    ['empty credentials', { name: 'n', credentials: {} }, 'credentials'],
    ['a list of credentials', { name: 'n', credentials: ['k'] }, 'credentials'],
    ['a credential that is no text', { name: 'n', credentials: { key: 1 } }, 'credentials'],
    ['a credential that is too long', { name: 'n', credentials: { key: 'x'.repeat(10_001) } }, 'credentials'],
    ['a strange credential name', { name: 'n', credentials: { 'a b': 'k' } }, 'credentials'],
    [
      'too many',
      { name: 'n', credentials: Object.fromEntries([...'abcdefghijklmnopqrstu'].map((c) => [c, ''])) },
      'credentials',
    ],
  ])('refuses %s', async (_what, body, param) => {
    const answer = await ask('POST', '', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param } } });
    expect(registry.list().length).toBe(1);
  });

  it('refuses `__proto__` as the name of a credential', async () => {
    const response = await fetch(app.origin + ROUTE, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: '{"name":"n","credentials":{"__proto__":"x"}}',
    });
    expect(response.status).toBe(400);
  });
});

describe('an upstream that knows its credentials', () => {
  const fields = [{ name: 'key', isRequired: true }];
  const driver = (): ScriptedDriver => app.app.get<ScriptedDriver>(UpstreamDriver);
  beforeEach(() => {
    driver().fields = fields;
  });
  afterEach(() => {
    driver().fields = [];
  });

  it('has the list tell them', async () => {
    expect((await ask('GET')).body).toMatchObject({ credentialFields: fields });
  });

  it('refuses an account without one, new or changed, with the name of the field', async () => {
    const id = await addMine();
    for (const credentials of [{ apiKey: 'sk-secret' }, { key: '' }]) {
      for (const answer of [
        await ask('POST', '', { name: 'n', credentials }),
        await ask('PATCH', `/${id}`, { credentials }),
      ]) {
        expect(answer).toMatchObject({
          status: 400,
          body: {
            error: { type: 'invalid_request_error', code: 'invalid_request', param: 'credentials.key' },
          },
        });
        expect(answer.text).not.toContain('sk-secret');
      }
    }
    expect(registry.list().map(({ name }) => name)).toEqual(['seed', 'mine']);
    expect(registry.get(id).credentials).toEqual({ key: 'secret-of-mine' });
  });
});

describe('an account', () => {
  it('gets new credentials', async () => {
    const id = await addMine();
    const { status, body } = await ask('PATCH', `/${id}`, { credentials: { user: 'u', password: 'p' } });
    expect([status, body]).toMatchObject([200, { credentialNames: ['user', 'password'] }]);
    expect(registry.get(id).credentials).toEqual({ user: 'u', password: 'p' });
    expect((await ask('PATCH', `/${id}`, {})).status).toBe(400);
  });

  it('is disabled, enabled and removed', async () => {
    const id = await addMine();
    expect((await ask('POST', `/${id}/disable`)).body).toMatchObject({ state: 'disabled', sessions: 0 });
    expect((await ask('POST', `/${id}/enable`)).body).toMatchObject({ state: 'ready' });
    expect(await ask('DELETE', `/${id}`)).toMatchObject({ status: 204, text: '' });
    expect(registry.list().length).toBe(1);
  });

  it('of the configuration is neither changed nor removed', async () => {
    expect((await ask('DELETE', `/${seedId}`)).status).toBe(400);
    expect((await ask('PATCH', `/${seedId}`, { credentials: { key: 'k' } })).status).toBe(400);
  });

  it('shows cause and end of its cooldown until it is cleared', async () => {
    const id = await addMine();
    health.coolDown(registry.get(id), 60_000, 'Too many requests.');
    const { accounts: list } = (await ask('GET')).body as { accounts: { id: string; cooldown: object }[] };
    const before = list.find((account) => account.id === id);
    const cooldown = {
      until: expect.any(Number),
      remainingMs: expect.any(Number),
      cause: 'Too many requests.',
    };
    expect(before).toMatchObject({ state: 'cooldown', cooldown });
    expect(before?.cooldown).not.toHaveProperty('model');
    const { body } = await ask('POST', `/${id}/clear-cooldown`);
    expect(body).toMatchObject({ state: 'ready' });
    expect(body).not.toHaveProperty('cooldown');
  });

  it('shows for which model it cools, if only for one', async () => {
    const id = await addMine();
    health.coolDown(registry.get(id), 60_000, 'Too many requests.', 'big');
    const { body } = await ask('GET');
    expect(body).toMatchObject({
      accounts: expect.arrayContaining([
        expect.objectContaining({
          id,
          state: 'cooldown',
          cooldown: expect.objectContaining({ model: 'big' }),
        }),
      ]),
    });
  });

  it('shows the evidence of a failed login until the next login', async () => {
    const id = await addMine();
    expect((await ask('GET', `/${id}/evidence`)).status).toBe(404);
    const evidence = { url: 'https://chat.test/login?t=secret', title: 'Log in', screenshot: PNG };
    health.requireLogin(registry.get(id), new LoginRequiredError('login_wall', 'Logged out.', { evidence }));
    expect((await ask('GET', `/${id}/evidence`)).body).toEqual({
      fault: 'login_wall',
      message: 'Logged out.',
      at: registry.get(id).loginFailure?.at,
      url: 'https://chat.test/login',
      title: 'Log in',
      hasScreenshot: true,
    });
    const image = await fetch(`${app.origin}${ROUTE}/${id}/evidence/screenshot`, {
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    expect([image.headers.get('content-type'), image.headers.get('cache-control')]).toEqual([
      'image/png',
      'no-store',
    ]);
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(PNG);
    expect((await ask('POST', `/${id}/login`)).body).toMatchObject({ state: 'ready' });
    expect((await ask('GET', `/${id}/evidence/screenshot`)).status).toBe(404);
  });
});
