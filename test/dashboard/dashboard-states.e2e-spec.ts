import { describe, it } from '@jest/globals';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { keepViews } from '../support/browser/appearance.js';
import { seeText } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';

const dashboard = useDashboard({ UPSTREAM_API_KEYS: 'sk-one,sk-two' });

function lockOut(count: number): void {
  const { app } = dashboard.gateway;
  for (const account of app.get(AccountRegistry).list().slice(0, count)) {
    const failure = new LoginRequiredError('login_wall', 'It asks for a login.');
    app.get(AccountHealth).requireLogin(account, failure);
  }
}

/** Each page with what it shows when it is ready. */
const PAGES = [
  ['overview', '', '#tiles .tile'],
  ['accounts', '/accounts', '.account'],
  ['logs', '/logs', '#list .state'],
  ['network', '/network', '#list .state'],
] as const;

describe.each([
  ['empty', 0, ''],
  ['one-account-out', 1, '1 of 2 accounts needs a login'],
  ['down', 2, 'Not serving: 2 of 2 accounts need a login'],
])('the dashboard while it is %s', (state, locked, notice) => {
  it.each(PAGES)('is accessible: %s', async (name, path, ready) => {
    // Again, since accounts log in by themselves after a while.
    lockOut(locked);
    const page = await dashboard.open(path);
    await page.waitForSelector(ready);
    await seeText(page, '#status', notice);
    await keepViews(page, `${name}-${state}`);
  });
});
