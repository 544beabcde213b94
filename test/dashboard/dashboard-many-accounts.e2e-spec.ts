import { expect, it } from '@jest/globals';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountHealth } from '../../src/accounts/registry/account-health.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { LoginRequiredError } from '../../src/upstream/upstream.errors.js';
import { inPage, seeText } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';

const dashboard = useDashboard({
  UPSTREAM_API_KEYS: Array.from({ length: 60 }, (_, at) => `key-${at}`).join(','),
});

it('a request names fifty of sixty accounts by what kept each from serving, and its entry a few of each', async () => {
  await dashboard.gateway.complete(ASK);
  const { id, attempts: [attempt] = [] } = dashboard.gateway.lastEntry ?? {};
  const { considered = [] } = attempt ?? {};
  expect(considered.filter(({ account }) => account !== undefined)).toHaveLength(50);
  // Some may still be without a session.
  const counts = considered.flatMap(({ others = [] }) => others);
  expect(counts.reduce((sum, count) => sum + count)).toBe(10);
  const page = await dashboard.open(`/logs?id=${id}`);
  const reasons = [...Map.groupBy(considered, ({ outcome }) => outcome).values()];
  for (const accounts of reasons) {
    const named = accounts.filter(({ account }) => account !== undefined).length;
    const size = accounts.reduce((sum, { others = 1 }) => sum + others, 0);
    if (size > 8 && named > 0) {
      await seeText(page, '#pinned .considered', `${size - Math.min(named, 5)} more`);
    }
  }
  expect(await page.$$('.considered > li')).toHaveLength(reasons.length);
  expect((await page.$$('.considered bdi')).length).toBeLessThanOrEqual(8 * reasons.length);
});

it('an account that needs a login stands first on its page, also once it is logged in', async () => {
  const { app } = dashboard.gateway;
  const accounts = app.get(AccountRegistry).list();
  const [out, next] = [accounts[40]!, accounts[50]!];
  const failure = new LoginRequiredError('login_wall', 'It asks for a login.');
  app.get(AccountHealth).requireLogin(out, failure);
  const page = await dashboard.open('/accounts');
  const shown = async (count: number): Promise<string[]> =>
    (
      await inPage<string[]>(
        page,
        `Array.from(document.querySelectorAll('.account h2'), (name) => name.innerText)`,
      )
    ).slice(0, count);
  await seeText(page, '.account', `${out.name} login required`);
  expect(await shown(2)).toEqual([out.name, accounts[0]?.name]);
  await app.get(AccountCommands).login(null, out.id);
  app.get(AccountHealth).requireLogin(next, failure);
  await seeText(page, `[data-entry="${next.id}"]`, `${next.name} login required`);
  await seeText(page, '.account', `${out.name} ready`);
  expect(await shown(2)).toEqual([out.name, accounts[0]?.name]);
});

it('the numbers of sessions, which change all the time, are not read out', async () => {
  const page = await dashboard.open('/accounts');
  await seeText(page, '#summary', 'sessions in use');
  expect(
    await page.$('#summary[role], [role] #summary, #summary[aria-live], [aria-live] #summary'),
  ).toBeNull();
});

it('each button names its account to whoever does not see the card around it', async () => {
  const page = await dashboard.open('/accounts');
  await page.waitForSelector('.account');
  const names = await inPage<string[]>(
    page,
    `Array.from(document.querySelectorAll('.account button'), (button) => button.ariaLabel)`,
  );
  expect(new Set(names).size).toBe(names.length);
});
