import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsRestarts } from '../../../test/support/gateway/accounts-rig.js';
import { LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type AccountSeed } from '../../upstream/upstream-driver.js';

const SEED: AccountSeed = { name: 'a', credentials: { user: 'ann', password: 'pass-of-ann' } };
const WALL = new LoginRequiredError('login_wall', 'Logged out.');

let gateway: AccountsRestarts;

beforeEach(() => {
  gateway = new AccountsRestarts();
});

afterEach(() => gateway.end());

async function start(overrides = {}) {
  const rig = await gateway.start([SEED], overrides);
  const changes: string[] = [];
  rig.registry.changes$.subscribe(({ kind }) => changes.push(kind));
  return { ...rig, account: rig.account('a'), changes };
}

describe('AccountHealth.coolDown', () => {
  it.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('keeps its length when the wall clock is set %s while it runs', async (_way, jumpMs) => {
    const { clock } = gateway;
    const { health, account } = await start();
    health.coolDown(account, 2000, 'limit');
    clock.wall += jumpMs;
    clock.pass(1999);
    expect(account.stateAt(clock.monotonic())).toBe('cooldown');
    clock.pass(1);
    expect(account.stateAt(clock.monotonic())).toBe('ready');
  });

  it('is not prolonged by a clock that is set back over a restart', async () => {
    const { health, account } = await start();
    health.coolDown(account, 2000, 'limit');
    gateway.clock.wall -= 3_600_000;
    const again = (await start()).account;
    expect(again.cooldown.remainingMs(gateway.clock.monotonic())).toBe(2000);
  });

  it('takes the setting where the upstream names no time', async () => {
    const { health, account, changes } = await start({ RATE_LIMIT_COOLDOWN_MS: 5000 });
    health.coolDown(account, undefined, 'limit');
    expect(account.cooldown.remainingMs(0)).toBe(5000);
    expect([account.rateLimits, changes]).toEqual([1, ['cooling']]);
  });

  it('holds back all models no longer than the setting because two have long limits', async () => {
    const { health, account } = await start({ RATE_LIMIT_COOLDOWN_MS: 5000 });
    health.coolDown(account, 3_600_000, 'limit of an hour', 'm');
    health.coolDown(account, 3_600_000, 'limit of an hour', 'n');
    expect(account.cooldown.remainingMs(0, 'o')).toBe(5000);
    health.coolDown(account, 3_600_000, 'no credit');
    expect(account.cooldown.remainingMs(0, 'o')).toBe(3_600_000);
  });

  it('announces nothing if a longer cooldown runs, and counts the limit all the same', async () => {
    const { health, account, changes } = await start();
    health.coolDown(account, 5000, 'long');
    health.coolDown(account, 1000, 'short');
    expect([account.rateLimits, changes]).toEqual([2, ['cooling']]);
  });
});

describe('AccountHealth.probeAnswered', () => {
  it('ends the cooldown in memory and store, unless a new one has overtaken the probe', async () => {
    const { health, account, changes } = await start();
    health.coolDown(account, 1000, 'limit');
    gateway.clock.pass(1000);
    const overtaken = account.cooldown.leaseStarted()!;
    health.coolDown(account, 1000, 'again');
    health.probeAnswered(account, overtaken);
    expect(changes).toEqual(['cooling', 'cooling']);
    gateway.clock.pass(1000);
    health.probeAnswered(account, account.cooldown.leaseStarted()!);
    expect(changes).toEqual(['cooling', 'cooling', 'cleared']);
    expect((await start()).account.cooldown.obstacle(gateway.clock.monotonic())).toBeUndefined();
  });
});

describe('AccountHealth.loginLost', () => {
  it('asks for new logins twice, and takes the account out at the third loss without an answer', async () => {
    const { health, account, changes } = await start();
    health.loginLost(account, WALL);
    health.loginLost(account, WALL);
    health.loginAnswered(account, 'm');
    health.loginLost(account, WALL);
    health.loginLost(account, WALL);
    expect([account.isUsable, changes.splice(0)]).toEqual([true, Array(4).fill('logged_out')]);
    health.loginLost(account, WALL);
    expect([account.stateAt(0), changes]).toEqual(['login_required', ['closed']]);
  });

  it('counts a request that draws one wall after the other once', async () => {
    const { health, account, changes } = await start();
    const prompt = Symbol('prompt');
    for (let wall = 0; wall < 5; wall += 1) {
      health.loginLost(account, WALL, prompt);
    }
    health.loginLost(account, WALL, Symbol('another'));
    expect([account.isUsable, changes.splice(0)]).toEqual([true, Array(6).fill('logged_out')]);
    health.loginLost(account, WALL, Symbol('a third'));
    expect(account.isUsable).toBe(false);
  });

  it('asks for the operator at once for anything but an expired login', async () => {
    const { health, account, changes } = await start();
    health.loginLost(account, new LoginRequiredError('blocked', 'A challenge page.'));
    expect([account.stateAt(0), changes]).toEqual(['login_required', ['closed']]);
  });
});

describe('AccountHealth.requireLogin', () => {
  it('keeps the evidence, without secrets, over restarts', async () => {
    const { health, account } = await start();
    const screenshot = Uint8Array.of(137, 80, 78, 71);
    health.requireLogin(
      account,
      new LoginRequiredError('blocked', 'A challenge page.', {
        evidence: {
          url: 'https://chat.test/x?session=hidden',
          title: `Wait, not ${SEED.credentials.password} ${'.'.repeat(1000)}`,
          screenshot,
        },
      }),
    );
    const second = await start();
    expect(second.account.loginFailure).toEqual({
      fault: 'blocked',
      message: 'A challenge page.',
      at: gateway.clock.now(),
      url: 'https://chat.test/x',
      title: `Wait, not [redacted] ${'.'.repeat(1000)}`.slice(0, 200),
      hasScreenshot: true,
    });
    expect(await second.registry.screenshot(account.id)).toEqual(Buffer.from(screenshot));
  });
});

describe('AccountHealth counters', () => {
  it('count requests, failures and logins with their times, over restarts', async () => {
    const { health, account } = await start();
    const began = gateway.clock.now();
    health.loggedIn(account, true);
    gateway.clock.pass(10);
    health.countRequest(account);
    health.promptFailed(account);
    expect((await start()).account).toMatchObject({
      requests: 1,
      failures: 1,
      lastLoginAt: began,
      lastUsedAt: began + 10,
    });
  });
});
