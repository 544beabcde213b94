import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { type Account } from '../accounts/registry/account.js';
import { AccountCommands } from '../accounts/registry/account-commands.js';
import { AccountHealth } from '../accounts/registry/account-health.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { type UnavailableFault } from '../upstream/unavailable-fault.js';
import { LoginRequiredError, UnavailableError } from '../upstream/upstream.errors.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { HealthModule } from './health.module.js';
import { ReadinessService } from './readiness.service.js';

let app: ControllerApp;
let registry: AccountRegistry;
let commands: AccountCommands;
let health: AccountHealth;
let first: Account;
let second: Account;

beforeEach(async () => {
  app = await ControllerApp.start(HealthModule, {
    accounts: ['a', 'b'].map((name) => ({ name, credentials: { key: 'k' } })),
  });
  registry = app.app.get(AccountRegistry);
  commands = app.app.get(AccountCommands);
  health = app.app.get(AccountHealth);
  [first, second] = registry.list() as [Account, Account];
});
afterEach(() => app.close());

async function ask(path: string, method = 'GET'): Promise<[status: number, text: string]> {
  const { status, text: body } = await app.ask(method, `/health/${path}`, { key: '' });
  return [status, body];
}

const READY = [200, '{"status":"ok"}'];
const NO_ACCOUNT = [503, '{"status":"no_account"}'];

describe('HealthController', () => {
  describeRoutes(() => app, {
    'GET /health': { isPublic: true, good: { body: { status: 'ok' } } },
    'GET /health/live': { isPublic: true, good: { body: { status: 'ok' } } },
    'GET /health/ready': { isPublic: true, good: { body: { status: 'ok' } } },
  });

  it('answers GET and HEAD only without the key', async () => {
    expect(await ask('ready', 'HEAD')).toEqual([200, '']);
    expect((await ask('ready', 'POST'))[0]).toBe(401);
    expect((await ask('other'))[0]).toBe(401);
  });

  it.each([
    ['by an address that is not its own', 'GET /health/ready HTTP/1.1\r\nHost: 198.51.100.7:8080', '200'],
    ['over HTTP/1.0, by none', 'GET /health/live HTTP/1.0', '200'],
    ['of all else by another name', 'GET /health/other HTTP/1.1\r\nHost: a.example', '403'],
  ])('answers a balancer that asks %s', async (_how, head, status) => {
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1');
    socket.end(`${head}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('readiness', () => {
  it('is lost with the last usable account, and returns with the first', async () => {
    await commands.disable(null, first.id);
    expect(await ask('ready')).toEqual(READY);
    health.requireLogin(second, new LoginRequiredError('blocked', 'A challenge stands in the way.'));
    expect(await ask('ready')).toEqual(NO_ACCOUNT);
    expect(await ask('live')).toEqual([200, '{"status":"ok"}']);
    await commands.login(null, second.id);
    expect(await ask('ready')).toEqual(READY);
  });

  it('names the database where that is why no account is left', async () => {
    const isDatabaseAway = jest.spyOn(registry, 'isDatabaseAway', 'get').mockReturnValue(true);
    expect(await ask('ready')).toEqual(READY);
    await commands.disable(null, first.id);
    await commands.disable(null, second.id);
    expect(await ask('ready')).toEqual([503, '{"status":"database_away"}']);
    expect(app.app.get(ReadinessService).detail()).toBe('the shared database cannot be reached');
    isDatabaseAway.mockReturnValue(false);
    expect(await ask('ready')).toEqual(NO_ACCOUNT);
    expect(app.app.get(ReadinessService).detail()).toBeUndefined();
  });

  it('is kept while every account is in a cooldown', async () => {
    health.coolDown(first, 60_000, 'limited');
    health.coolDown(second, 60_000, 'limited');
    expect(await ask('ready')).toEqual(READY);
  });

  it('is lost with the browser, and says so', async () => {
    const driver = app.app.get(UpstreamDriver);
    const fail = (fault: UnavailableFault): void => {
      const value = new UnavailableError(fault, 'No browser to start.');
      Object.defineProperty(driver, 'outage', { configurable: true, value });
    };
    fail('browser_not_found');
    expect(await ask('ready')).toEqual([503, '{"status":"browser_missing"}']);
    fail('browser_crashed');
    expect(await ask('ready')).toEqual([503, '{"status":"browser_failed"}']);
    Reflect.deleteProperty(driver, 'outage');
    expect(await ask('ready')).toEqual(READY);
  });

  it('is lost at the shutdown, before the listener closes', async () => {
    const server = app.app.getHttpServer() as { listening: boolean };
    const readiness = app.app.get(ReadinessService);
    const wasListening = new Promise<boolean>((resolve) => {
      const destroy = readiness.onModuleDestroy.bind(readiness);
      readiness.onModuleDestroy = () => {
        destroy();
        resolve(server.listening);
      };
    });
    await app.app.close();
    expect([await wasListening, readiness.state()]).toEqual([true, 'shutting_down']);
  });
});
