import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { AccountCommands } from '../accounts/registry/account-commands.js';
import { AccountHealth } from '../accounts/registry/account-health.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { Settings } from '../common/config/settings.js';
import { SettingsModule } from '../common/config/settings.module.js';
import { APP_OPTIONS, configureApp } from '../common/http/configure-app.js';
import { HttpEdgeModule } from '../common/http/http-edge.module.js';
import { GatewayHttpAdapter } from '../common/http/server/gateway-http-adapter.js';
import { TimeModule } from '../common/time/time.module.js';
import { LoginRequiredError } from '../upstream/upstream.errors.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { DashboardModule } from './dashboard.module.js';

const KEY = 'key-of-the-gateway';
const PNG = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

let folder: string;
let app: NestExpressApplication;
let base: string;
let registry: AccountRegistry;
let commands: AccountCommands;
let health: AccountHealth;
let seedId: string;

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const settings = Object.assign(new Settings(), { DATA_DIR: folder, API_KEY: KEY });
  const module = await Test.createTestingModule({
    imports: [SettingsModule.forRoot(settings), TimeModule, DashboardModule, HttpEdgeModule],
  })
    .overrideProvider(UpstreamDriver)
    .useValue(new ScriptedDriver([{ name: 'seed', credentials: { user: 'ann', password: 'pass-of-ann' } }]))
    .compile();
  app = module.createNestApplication<NestExpressApplication>(new GatewayHttpAdapter(), {
    ...APP_OPTIONS,
    logger: false,
  });
  configureApp(app, settings);
  await app.listen(0, '127.0.0.1');
  base = `${await app.getUrl()}/dashboard/api/accounts`;
  registry = app.get(AccountRegistry);
  commands = app.get(AccountCommands);
  health = app.get(AccountHealth);
});

beforeEach(() => {
  for (const { id, source } of registry.list()) {
    if (source === 'operator') {
      commands.remove(id);
    } else {
      seedId = id;
    }
  }
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(method: string, path = '', body?: unknown, key = KEY): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const addMine = () => commands.add('mine', { key: 'secret-of-mine' }).id;

describe('every route', () => {
  it.each([
    ['GET', ''],
    ['POST', ''],
    ['PATCH', '/x'],
    ['DELETE', '/x'],
    ['POST', '/x/enable'],
    ['POST', '/x/disable'],
    ['POST', '/x/login'],
    ['POST', '/x/clear-cooldown'],
    ['GET', '/x/evidence'],
    ['GET', '/x/evidence/screenshot'],
  ])('%s %s wants the key', async (method, path) => {
    for (const key of ['', 'wrong']) {
      const { status, body } = await ask(method, path, undefined, key);
      expect([status, body]).toMatchObject([401, { error: { code: 'invalid_api_key' } }]);
    }
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
  ])('%s %s knows no account x', async (method, path, body) => {
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: { message: "There is no account 'x'.", type: 'invalid_request_error', code: 'not_found' },
    });
  });
});

describe('the list', () => {
  it('shows accounts and pool, and no secret', async () => {
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
    });
    expect(JSON.stringify(body)).not.toContain('pass-of-ann');
  });
});

describe('adding an account', () => {
  it('answers with the account, which is there from then on', async () => {
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

  it('refuses a prototype in disguise', async () => {
    const response = await fetch(base, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{"name":"n","credentials":{"__proto__":"x"}}',
    });
    expect(response.status).toBe(400);
  });
});

describe('changing an account', () => {
  it('replaces its credentials', async () => {
    const id = addMine();
    const { status, body } = await ask('PATCH', `/${id}`, { credentials: { user: 'u', password: 'p' } });
    expect([status, body]).toMatchObject([200, { credentialNames: ['user', 'password'] }]);
    expect(registry.get(id).credentials).toEqual({ user: 'u', password: 'p' });
    expect((await ask('PATCH', `/${id}`, {})).status).toBe(400);
  });

  it('disables, enables and removes it', async () => {
    const id = addMine();
    expect((await ask('POST', `/${id}/disable`)).body).toMatchObject({ state: 'disabled', sessions: 0 });
    expect((await ask('POST', `/${id}/enable`)).body).toMatchObject({ state: 'ready' });
    expect(await ask('DELETE', `/${id}`)).toEqual({ status: 204, body: undefined });
    expect(registry.list().length).toBe(1);
  });

  it('leaves accounts of the configuration to the configuration', async () => {
    expect((await ask('DELETE', `/${seedId}`)).status).toBe(400);
    expect((await ask('PATCH', `/${seedId}`, { credentials: { key: 'k' } })).status).toBe(400);
  });

  it('clears a cooldown, which shows its cause and end until then', async () => {
    const id = addMine();
    health.coolDown(registry.get(id), 60_000, 'Too many requests.');
    const { accounts: list } = (await ask('GET')).body as { accounts: { id: string; cooldown: object }[] };
    const before = list.find((account) => account.id === id);
    const cooldown = {
      until: expect.any(Number),
      remainingMs: expect.any(Number),
      cause: 'Too many requests.',
    };
    expect(before).toMatchObject({ state: 'cooldown', cooldown });
    const { body } = await ask('POST', `/${id}/clear-cooldown`);
    expect(body).toMatchObject({ state: 'ready' });
    expect(body).not.toHaveProperty('cooldown');
  });

  it('shows the evidence of a failed login until it is to log in again', async () => {
    const id = addMine();
    expect((await ask('GET', `/${id}/evidence`)).status).toBe(404);
    const evidence = { url: 'https://chat.test/login?t=secret', title: 'Log in', screenshot: PNG };
    health.requireLogin(registry.get(id), new LoginRequiredError('login_wall', 'Logged out.', evidence));
    expect((await ask('GET', `/${id}/evidence`)).body).toEqual({
      reason: 'login_wall',
      message: 'Logged out.',
      at: registry.get(id).loginFailure?.at,
      url: 'https://chat.test/login',
      title: 'Log in',
      hasScreenshot: true,
    });
    const image = await fetch(`${base}/${id}/evidence/screenshot`, {
      headers: { authorization: `Bearer ${KEY}` },
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
