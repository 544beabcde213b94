import { expect, it } from '@jest/globals';
import { type HTTPRequest } from 'puppeteer';
import { click, inPage, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const API_KEY = 'test-operator-key';

const dashboard = useDashboard({ API_KEY });

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
  asked.length = 0;
  await page.reload();
  await sees('?days=90');
});
