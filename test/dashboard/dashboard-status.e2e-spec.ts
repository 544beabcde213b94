import { describe, expect, it } from '@jest/globals';
import { UpstreamStatus } from '../../src/accounts/dispatch/upstream-status.js';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { LoginRequiredError, UnavailableError } from '../../src/upstream/upstream.errors.js';
import { UpstreamDriver } from '../../src/upstream/upstream-driver.js';
import { inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { PAGE_PATHS } from '../support/browser/page-paths.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const dashboard = useDashboard({ UPSTREAM_API_KEYS: 'sk-one,sk-two' });

async function readiness(): Promise<unknown> {
  const response = await fetch(`${dashboard.gateway.origin}/health/ready`);
  return [response.status, await response.json()];
}

function lockOut(): void {
  const { app } = dashboard.gateway;
  for (const account of app.get(AccountRegistry).list()) {
    app
      .get(AccountHealth)
      .requireLogin(account, new LoginRequiredError('login_wall', 'It asks for a login.'));
  }
}

describe('what is wrong', () => {
  it('is said on every page, and mended by one click', async () => {
    const page = await dashboard.open();
    await seeText(page, '#sign', 'Serving');
    expect([await textOf(page, '#status'), await page.title()]).toEqual([
      '',
      'Overview · Chat Completion Gateway',
    ]);
    lockOut();
    expect(await readiness()).toEqual([503, { status: 'no_account' }]);
    for (const path of PAGE_PATHS) {
      await page.goto(`${dashboard.gateway.origin}/dashboard${path}`);
      await seeText(page, '#status', 'Not serving: 2 of 2 accounts need a login.');
      expect(await textOf(page, '#sign')).toBe('Not serving');
      expect(await textOf(page, 'nav .count')).toContain('2');
      expect(await page.title()).toMatch(/^\(!\) /);
    }
    await press(page, '#status', 'Log in again');
    await seeText(page, '#sign', 'Serving');
    await eventually(PATIENCE_MS, async () => expect(await textOf(page, '#status')).toBe(''));
    expect(await page.$('nav .count')).toBeNull();
    expect(await page.title()).not.toContain('(!)');
    expect((await readiness()) as unknown[]).toEqual([200, { status: 'ok' }]);
  });

  it('stands on the next page before anything moves below it, but not for another key', async () => {
    const page = await dashboard.open();
    const { app } = dashboard.gateway;
    const [account] = app.get(AccountRegistry).list();
    app
      .get(AccountHealth)
      .requireLogin(account!, new LoginRequiredError('login_wall', 'It asks for a login.'));
    await seeText(page, '#status', '1 of 2 accounts needs a login, 1 serves.');
    const kept = await inPage(page, `sessionStorage.getItem('gateway-status')`);
    // The next page hears of nothing but what this one kept, which is fresh there however slow the machine is.
    await page.evaluateOnNewDocument(`
      SharedWorker = class { port = new MessageChannel().port1; };
      sessionStorage.setItem('gateway-status', JSON.stringify({ ...${String(kept)}, at: Date.now() }));`);
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs`);
    expect(await textOf(page, '#status')).toContain('1 of 2 accounts needs a login');
    expect(await textOf(page, 'nav .count')).toContain('1');
    await inPage(page, `sessionStorage.setItem('gateway-key', 'of-somebody-else')`);
    await inPage(page, `void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    expect(await textOf(page, '#status')).toBe('');
    expect(await inPage(page, `sessionStorage.getItem('gateway-status')`)).toBeNull();
    await app.get(AccountCommands).login(null, account!.id);
  });

  it('names a browser that is missing, as the probe does', async () => {
    const driver = dashboard.gateway.app.get(UpstreamDriver);
    const outage = new UnavailableError(
      'browser_not_found',
      'No browser to start: set BROWSER_EXECUTABLE_PATH.',
    );
    Object.defineProperty(driver, 'outage', { configurable: true, value: outage });
    const page = await dashboard.open('/logs');
    await seeText(
      page,
      '#status',
      'Not serving: there is no browser. No browser to start: set BROWSER_EXECUTABLE_PATH.',
    );
    expect(await readiness()).toEqual([503, { status: 'browser_missing' }]);
    Reflect.deleteProperty(driver, 'outage');
    await seeText(page, '#sign', 'Serving');
  });

  it('leads to the failures of an upstream that keeps failing, by a line that is drawn once', async () => {
    const upstream = dashboard.gateway.app.get(UpstreamStatus);
    const endsAt = performance.now() + 600_000;
    Object.defineProperties(upstream, {
      refusesForMs: { configurable: true, get: () => Math.ceil(endsAt - performance.now()) },
      failsAtOneConversation: { configurable: true, value: true },
    });
    // The page itself asks for the status then.
    const page = await dashboard.open('', { isWithoutWorkers: true });
    await seeText(page, '#status', 'only its requests are refused');
    await page.evaluate(`document.querySelector('#status .notice').dataset.isFirst = ''`);
    for (let reports = 0; reports < 3; reports++) {
      await page.waitForResponse((response) => response.url().endsWith('/dashboard/api/status'));
    }
    expect(await inPage(page, `document.querySelector('#status [data-is-first]') !== null`)).toBe(true);
    await Promise.all([page.waitForNavigation(), press(page, '#status', 'Look at the failures')]);
    expect(await inPage(page, 'location.pathname + location.search')).toBe(
      '/dashboard/logs?status=upstream_error',
    );
    Reflect.deleteProperty(upstream, 'failsAtOneConversation');
    await seeText(page, '#status', 'The upstream keeps failing, so requests are refused.');
    Reflect.deleteProperty(upstream, 'refusesForMs');
    await seeText(page, '#sign', 'Serving');
  });

  it('shows no green sign once nothing is known', async () => {
    const page = await dashboard.open('', { isWithoutWorkers: true });
    await seeText(page, '#sign', 'Serving');
    await page.setOfflineMode(true);
    await page.waitForSelector('#sign', { hidden: true });
    expect(await inPage(page, `document.querySelectorAll('[data-tone="ok"]:not([hidden])').length`)).toBe(0);
    await page.setOfflineMode(false);
  });
});
