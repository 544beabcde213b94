import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { UpstreamStatus } from '../../accounts/dispatch/upstream-status.js';
import { AccountCommands } from '../../accounts/registry/account-commands.js';
import { AccountHealth } from '../../accounts/registry/account-health.js';
import { AccountRegistry } from '../../accounts/registry/account-registry.js';
import { LoginRequiredError, UnavailableError } from '../../upstream/upstream.errors.js';
import { UpstreamDriver } from '../../upstream/upstream-driver.js';
import { DashboardModule } from '../dashboard.module.js';

const ROUTE = '/dashboard/api/status';

describe('StatusController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    const accounts = ['a', 'b', 'c'].map((name) => ({ name, credentials: { key: 'k' } }));
    app = await ControllerApp.start(DashboardModule, { accounts });
    await app.logReady();
  });
  afterAll(() => app.close());

  const status = async (): Promise<unknown> => (await app.ask('GET', ROUTE)).body;

  describeRoutes(() => app, {
    [`GET ${ROUTE}`]: {
      good: { body: { readiness: 'ok', waiting: 0, log: { isHealthy: true, dropped: 0 } } },
    },
  });

  it('says that the circuit breaker refuses requests', async () => {
    const refusing = jest.spyOn(app.app.get(UpstreamStatus), 'refusesForMs', 'get').mockReturnValue(4000);
    expect(await status()).toMatchObject({ readiness: 'ok', refusesForMs: 4000 });
    expect(await status()).not.toHaveProperty('refusesOneConversation');
    const upstream = app.app.get(UpstreamStatus);
    const failing = jest.spyOn(upstream, 'failsAtOneConversation', 'get').mockReturnValue(true);
    expect(await status()).toMatchObject({ refusesForMs: 4000, refusesOneConversation: true });
    refusing.mockRestore();
    expect(await status()).not.toHaveProperty('refusesOneConversation');
    failing.mockRestore();
    expect(await status()).not.toHaveProperty('refusesForMs');
  });

  it('says which browsers are lost while others serve', async () => {
    expect(await status()).not.toHaveProperty('lostBrowsers');
    const lost = new UnavailableError('launch_failed', 'http://one:9222 cannot be used: ECONNREFUSED.');
    const outages = jest.spyOn(app.app.get(UpstreamDriver), 'partialOutages', 'get').mockReturnValue([lost]);
    expect(await status()).toMatchObject({ readiness: 'ok', lostBrowsers: [lost.message] });
    outages.mockRestore();
  });

  it('counts the accounts, and says when the first is back', async () => {
    const [first, second, third] = app.app.get(AccountRegistry).list();
    const health = app.app.get(AccountHealth);
    if (!first || !second || !third) {
      throw new Error('There are three accounts.');
    }
    await app.app.get(AccountCommands).disable(null, first.id);
    health.requireLogin(second, new LoginRequiredError('login_wall', 'The site asks for a login.'));
    health.coolDown(third, 60_000, 'limited');
    const limited = (await status()) as { nextReadyMs: number };
    expect(limited).toMatchObject({
      readiness: 'ok',
      accounts: { all: 3, ready: 0, cooldown: 1, login_required: 1, disabled: 1 },
    });
    expect(limited.nextReadyMs).toBeGreaterThan(50_000);

    health.requireLogin(third, new LoginRequiredError('login_wall', 'The site asks for a login.'));
    expect(await status()).toMatchObject({ readiness: 'no_account', accounts: { login_required: 2 } });

    const { body } = await app.ask('POST', '/dashboard/api/accounts/login');
    expect(body).toMatchObject({ accounts: [{ name: 'b' }, { name: 'c' }] });
    expect(await status()).toMatchObject({ readiness: 'ok', accounts: { login_required: 0, disabled: 1 } });
  });
});
