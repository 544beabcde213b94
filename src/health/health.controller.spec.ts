import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { type Account } from '../accounts/registry/account.js';
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
import { HealthModule } from './health.module.js';
import { ReadinessService } from './readiness.service.js';

let folder: string;
let app: NestExpressApplication;
let registry: AccountRegistry;
let commands: AccountCommands;
let health: AccountHealth;
let first: Account;
let second: Account;

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = mkdtempSync(join(tmpdir(), 'health-'));
  const settings = Object.assign(new Settings(), { DATA_DIR: folder, API_KEY: 'key' });
  const seeds = ['a', 'b'].map((name) => ({ name, credentials: { key: 'k' } }));
  const module = await Test.createTestingModule({
    imports: [SettingsModule.forRoot(settings), TimeModule, HealthModule, HttpEdgeModule],
  })
    .overrideProvider(UpstreamDriver)
    .useValue(new ScriptedDriver(seeds))
    .compile();
  app = module.createNestApplication<NestExpressApplication>(new GatewayHttpAdapter(), {
    ...APP_OPTIONS,
    logger: false,
  });
  configureApp(app, settings);
  await app.listen(0, '127.0.0.1');
  registry = app.get(AccountRegistry);
  commands = app.get(AccountCommands);
  health = app.get(AccountHealth);
  [first, second] = registry.list() as [Account, Account];
});

afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(path: string, method = 'GET'): Promise<[status: number, text: string]> {
  const response = await fetch(`${await app.getUrl()}/health/${path}`, { method });
  return [response.status, await response.text()];
}

const READY = [200, '{"status":"ok"}'];
const NO_ACCOUNT = [503, '{"status":"no_account"}'];

it('both paths need no key, and take GET and HEAD only', async () => {
  expect(await ask('live')).toEqual([200, '{"status":"ok"}']);
  expect(await ask('ready')).toEqual(READY);
  expect(await ask('ready', 'HEAD')).toEqual([200, '']);
  expect((await ask('ready', 'POST'))[0]).toBe(401);
  expect((await ask('other'))[0]).toBe(401);
});

describe('readiness', () => {
  it('ends with the last account that can serve, and comes back with the first', async () => {
    commands.disable(first.id);
    expect(await ask('ready')).toEqual(READY);
    health.requireLogin(second, new LoginRequiredError('blocked', 'A challenge stands in the way.'));
    expect(await ask('ready')).toEqual(NO_ACCOUNT);
    expect(await ask('live')).toEqual([200, '{"status":"ok"}']);
    commands.login(second.id);
    expect(await ask('ready')).toEqual(READY);
  });

  it('is not lost while every account cools down', async () => {
    health.coolDown(first, 60_000, 'limited');
    health.coolDown(second, 60_000, 'limited');
    expect(await ask('ready')).toEqual(READY);
  });

  it('ends with the shutdown before the listener closes', async () => {
    const server = app.getHttpServer() as { listening: boolean };
    const readiness = app.get(ReadinessService);
    const wasListening = new Promise<boolean>((resolve) => {
      const destroy = readiness.onModuleDestroy.bind(readiness);
      readiness.onModuleDestroy = () => {
        destroy();
        resolve(server.listening);
      };
    });
    await app.close();
    expect([await wasListening, readiness.state()]).toEqual([true, 'shutting_down']);
  });
});
