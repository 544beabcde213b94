import { beforeEach, expect, it } from '@jest/globals';
import { type HTTPRequest } from 'puppeteer';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { withinOneDay } from '../support/watch/one-day.js';

const API_KEY = 'test-operator-key';

const dashboard = useDashboard({ API_KEY });

beforeEach(withinOneDay);

it.each(['/keys', '/logs'])('a file that cannot be saved is said to be none: %s', async (path) => {
  const page = await dashboard.open(path);
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) =>
    request.url().includes('format=csv')
      ? void request.respond({ status: 429, body: '{"error":{"message":"Too many read."}}' })
      : void request.continue(),
  );
  await click(page, '#csv');
  await seeText(page, '#csv-note', 'The file could not be saved: Too many read.');
  expect(await textOf(page, '#stale')).toBe('');
});

it('the card of an account shows how its requests of the last days ended, and where that cannot be read, the rest', async () => {
  const page = await dashboard.open('/accounts');
  await page.setRequestInterception(true);
  const refuse = (request: HTTPRequest): void =>
    void (request.url().endsWith('/accounts/days')
      ? request.respond({ status: 500, body: '{"error":{"message":"It cannot be read."}}' })
      : request.continue());
  page.on('request', refuse);
  await page.reload();
  await page.waitForSelector('.account');
  expect(await textOf(page, '.account-days')).toBe('');
  expect(await textOf(page, '#stale')).toBe('');
  page.off('request', refuse);
  await page.setRequestInterception(false);
  await page.reload();
  await seeText(page, '.account-days', 'No request ended here in 14 days');
  const ask = { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }] };
  await dashboard.gateway.complete(ask, dashboard.withKey);
  dashboard.stub.answerWith(failed(400, { message: 'Too long.' }));
  await dashboard.gateway.post(ask, dashboard.withKey);
  await page.reload();
  await seeText(page, '.account-days', '14 days: 1 served, 1 not today (UTC): 1 served, 1 not');
  const shapes = `[...document.querySelectorAll('.account-days path')].map((bars) => bars.getAttribute('d'))`;
  expect(await inPage(page, shapes)).toEqual(['M13.1 2h.8v-1h-.8z', 'M13.1 1h.8v-1h-.8z']);
  dashboard.stub.answerWith(answer());
});

it('usage is shown and saved for the chosen days, of which only the present one is read again', async () => {
  await dashboard.gateway.complete(
    { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }] },
    dashboard.withKey,
  );
  const page = await dashboard.open('/keys');
  const asked: string[] = [];
  page.on('request', (request: HTTPRequest) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/dashboard/api/usage') {
      asked.push(search);
    }
  });
  await page.reload();
  const sees = (...searches: string[]): Promise<void> =>
    eventually(PATIENCE_MS, () => expect(asked).toEqual(expect.arrayContaining(searches)));
  await seeText(page, '#usage', 'API_KEY');
  await sees('?days=30');
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await sees('?days=30', '?days=1');
  await page.select('#usage-days', '90');
  await sees('?days=90');
  expect(await inPage(page, 'location.search')).toBe('?days=90');
  await seeText(page, '#usage', 'API_KEY');
  await click(page, '#csv');
  await sees('?days=90&format=csv');
  expect(asked.filter((search) => search !== '?days=1')).toEqual([
    '?days=30',
    '?days=90',
    '?days=90&format=csv',
  ]);
  await page.select('#usage-by', 'week');
  await seeText(page, '#usage th', 'Week from (UTC)');
  asked.length = 0;
  await page.reload();
  await sees('?days=90');
  await seeText(page, '#usage th', 'Week from (UTC)');
  expect(await inPage(page, 'location.search')).toBe('?days=90&by=week');
});

it('what was done is shown further back on demand', async () => {
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const { headers } = dashboard.withKey;
    const options = { method, headers: { ...headers, 'content-type': 'application/json' } };
    const url = `${dashboard.gateway.origin}/dashboard/api/keys${path}`;
    expect((await fetch(url, { ...options, body: JSON.stringify(body) })).ok).toBe(true);
  };
  await send('POST', '', { name: 'first-of-all' });
  for (let limit = 1; limit <= 20; limit++) {
    await send('PATCH', '/first-of-all', { requestsPerMinute: limit });
  }
  const page = await dashboard.open('/keys');
  await page.waitForSelector('#audit tbody tr');
  expect(await textOf(page, '#audit')).not.toContain('made a key');
  await click(page, '#audit .more button');
  await seeText(page, '#audit', 'made a key first-of-all');
  expect(await page.$('#audit .more button')).toBeNull();
});

it.each([
  ['/keys', '#list > *'],
  ['/own', '#limits > *'],
])('what has not changed is not read out again: %s', async (path, drawn) => {
  const page = await dashboard.open(path);
  await page.waitForFunction(`document.querySelector('#summary').textContent !== ''`);
  await page.evaluate(`
    window.changes = 0;
    new MutationObserver(() => window.changes++).observe(document.querySelector('#summary'), { childList: true });
    document.querySelector('${drawn}').className = 'before';
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  await page.waitForSelector(`${drawn}:not(.before)`);
  expect(await inPage(page, 'window.changes')).toBe(0);
});

it('models of a key that are not offered are named while they are typed', async () => {
  const page = await dashboard.open('/keys');
  await click(page, '#add');
  await page.locator('#key-form [name="models"]').fill('svc-max, svc-mx');
  await page.keyboard.press('Tab');
  await seeText(page, '#key-form', 'Not offered at present: svc-mx');
  await page.locator('#key-form [name="models"]').fill('svc-max');
  await page.keyboard.press('Tab');
  await page.waitForFunction(`document.querySelector('#key-form [role="status"]').textContent === ''`);
});

it('of many keys the first are listed, then all, and each is found by its name or its secret', async () => {
  const url = `${dashboard.gateway.origin}/dashboard/api/keys`;
  const headers = { ...dashboard.withKey.headers, 'content-type': 'application/json' };
  const make = async (name: string): Promise<string> => {
    const body = JSON.stringify({ name, role: 'caller' });
    const response = await fetch(url, { method: 'POST', headers, body });
    return ((await response.json()) as { secret: string }).secret;
  };
  const secrets: string[] = [];
  for (let at = 10; at < 50; at++) {
    secrets.push(await make(`team-${at}`));
  }
  const { keys } = (await (await fetch(url, { headers })).json()) as { keys: readonly { name: string }[] };
  const all = ['API_KEY', ...keys.map(({ name }) => name)];
  const page = await dashboard.open('/keys');
  const names = `Array.from(document.querySelectorAll('.key-row td:first-child'), ({ innerText }) => innerText)`;
  const listed = (expected: readonly string[]): Promise<void> =>
    eventually(PATIENCE_MS, async () => expect(await inPage(page, names)).toEqual(expected));
  await listed(all.slice(0, 31));
  await make('latest');
  await inPage(page, `void document.dispatchEvent(new Event('visibilitychange'))`);
  await listed([...all.slice(0, 31), 'latest']);
  await press(page, '#list', `Show all ${keys.length + 1}`);
  await listed([...all, 'latest']);
  await page.type('#find', 'TEAM-4');
  await listed(all.slice(-10));
  await page.$eval('#find', (field) => (field as unknown as { select(): void }).select());
  await page.type('#find', secrets[7] ?? '');
  await listed(['team-17']);
  await page.type('#find', ' revoked');
  await seeText(page, '#list', 'No key is found');
});
