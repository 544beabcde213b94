import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { failed } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** More than two pages of the log hold. */
const MANY = 115;

const dashboard = useDashboard();
beforeAll(async () => {
  for (let at = 0; at < MANY; at++) {
    await ask();
  }
});

async function ask(): Promise<string> {
  return (await dashboard.gateway.complete(ASK)).headers.get('x-request-id') ?? '';
}

async function open(path: string): Promise<Page> {
  const page = await dashboard.open(path);
  await seeText(page, '#live', 'Updating');
  await page.waitForSelector('#list li');
  return page;
}

const firstRow = (page: Page): Promise<string> =>
  inPage(page, `document.querySelector('#list .entry').dataset.entry`);

/** Lets every request of a page fail while the function runs. */
async function offline(page: Page, doThings: () => Promise<void>): Promise<void> {
  await page.setOfflineMode(true);
  await doThings();
  await page.setOfflineMode(false);
}

it('the accounts of an attempt are listed where they were not considered as before', async () => {
  dashboard.stub.answerNextWith(failed(500), failed(500));
  const page = await dashboard.open(`/logs?id=${await ask()}`);
  await seeText(page, '.attempts > li:nth-child(1)', 'Accounts considered');
  await seeText(page, '.attempts > li:nth-child(3)', 'The accounts were considered as before.');
  expect(await page.$$('.considered')).toHaveLength(1);
});

it('an entry says what a large input is made of, the most first', async () => {
  const messages = [
    { role: 'system', content: 'x'.repeat(1000) },
    { role: 'user', content: 'y'.repeat(3000) },
  ];
  const { headers } = await dashboard.gateway.complete({ ...ASK, messages });
  const page = await dashboard.open(`/logs?id=${headers.get('x-request-id')}`);
  await seeText(page, '.entry-detail', 'characters went upstream');
  await seeText(page, '.input-parts li:nth-child(1)', 'User');
  await seeText(page, '.input-parts li:nth-child(1)', '3,000');
  await seeText(page, '.input-parts li:nth-child(2)', 'Instructions');
});

describe('rows in use', () => {
  it.each<[string, (page: Page) => Promise<void>, (page: Page) => Promise<void>]>([
    ['the pointer', (page) => page.locator('#list .entry').hover(), (page) => page.mouse.move(1, 1)],
    [
      'the keyboard',
      async (page) => {
        await page.keyboard.press('j');
        await page.keyboard.press('j');
      },
      (page) => inPage(page, 'document.activeElement.blur()'),
    ],
    [
      'a selection',
      (page) => inPage(page, `getSelection().selectAllChildren(document.querySelector('#list .about'))`),
      (page) => inPage(page, 'getSelection().removeAllRanges()'),
    ],
  ])('do not slide away from %s, and do so when it has left', async (_what, use, leave) => {
    const page = await open('/logs');
    const before = await firstRow(page);
    await use(page);
    const id = await ask();
    await seeText(page, '#show-new', '1 new');
    expect(await firstRow(page)).toBe(before);
    await leave(page);
    await eventually(PATIENCE_MS, async () => expect(await firstRow(page)).toBe(id));
    await page.waitForSelector('#show-new', { hidden: true });
  });

  it.each<[string, (page: Page) => Promise<void>, (page: Page) => Promise<void>]>([
    ['the pointer', (page) => page.locator('button.exchange').hover(), (page) => page.mouse.move(1, 1)],
    [
      'an exchange that is open',
      async (page) => {
        await click(page, 'button.exchange');
        await page.mouse.move(1, 1);
      },
      (page) => press(page, '#detail', 'Close'),
    ],
  ])('do not slide away from %s on the page of exchanges', async (_what, use, leave) => {
    const page = await open('/network');
    const first = (): Promise<string> =>
      inPage(page, `document.querySelector('button.exchange').dataset.entry`);
    const before = await first();
    await use(page);
    await ask();
    await seeText(page, '#show-new', '1 new');
    expect(await first()).toBe(before);
    await leave(page);
    await eventually(PATIENCE_MS, async () => expect(await first()).not.toBe(before));
    await page.waitForSelector('#show-new', { hidden: true });
  });

  it('do not slide away while the keyboard goes through them', async () => {
    const page = await open('/logs');
    const before = await firstRow(page);
    await page.keyboard.press('j');
    await ask();
    await seeText(page, '#show-new', '1 new');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await textOf(page, '#show-new')).toBe('1 new');
    expect(await firstRow(page)).toBe(before);
  });
});

it('says how many rows there are when somebody has asked for others, and not with each that comes', async () => {
  const page = await open('/logs');
  const summary = (): Promise<string> => inPage(page, `document.querySelector('#summary').ariaLive`);
  const id = await ask();
  await page.waitForSelector(`[data-entry="${id}"]`);
  expect(await summary()).toBe('off');
  await page.select('[name="status"]', 'ok');
  await eventually(PATIENCE_MS, async () => expect(await summary()).toBe('polite'));
  await seeText(page, '#summary', '50 requests shown');
  expect(await summary()).toBe('polite');
});

describe('a list that could not be loaded', () => {
  it.each([
    ['/logs', 'status', 'ok'],
    ['/network', 'status', '2xx'],
  ])('is loaded once the gateway is back: %s', async (path, name, value) => {
    const page = await open(path);
    await seeText(page, '#summary', 'shown');
    await offline(page, async () => {
      await page.select(`[name="${name}"]`, value);
      await seeText(page, '#list', 'This could not be loaded');
      expect(await textOf(page, '#summary')).toBe('');
    });
    await seeText(page, '#summary', '50 ');
  });

  it('offers to try again for a request that is shown alone', async () => {
    const id = await ask();
    const page = await open('/logs');
    let isGone = true;
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const fails = isGone && request.url().includes(`/api/requests/${id}`);
      void (fails ? request.respond({ status: 500, body: '{}' }) : request.continue());
    });
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs?id=${id}`);
    await seeText(page, '#pinned', 'This could not be loaded');
    isGone = false;
    await press(page, '#pinned', 'Try again');
    await seeText(page, '#pinned .entry-detail', id);
  });
});

describe('an unfolded entry', () => {
  it('is found again by whoever comes back, or reloads the page', async () => {
    const page = await open('/logs?status=ok');
    for (const shown of ['100 ', '1']) {
      await click(page, '#older');
      await seeText(page, '#summary', shown);
    }
    await page.waitForFunction(`document.querySelectorAll('#list .entry').length > 100`);
    const id = await inPage<string>(
      page,
      `(() => {
        const details = document.querySelectorAll('#list .entry')[105];
        details.querySelector('summary').click();
        return details.dataset.entry;
      })()`,
    );
    const entry = `[data-entry="${id}"][open]`;
    const seeAgain = async () => {
      await page.waitForSelector(`${entry} .entry-detail`);
      const isInSight = `(() => {
        const { top } = document.querySelector('${entry} summary').getBoundingClientRect();
        return top > 0 && top < innerHeight;
      })()`;
      await eventually(PATIENCE_MS, async () => expect(await inPage(page, isInSight)).toBe(true));
    };
    await page.waitForSelector(`${entry} .entry-detail`);
    await Promise.all([page.waitForNavigation(), press(page, entry, 'Open in the network inspector')]);
    await page.goBack();
    await seeAgain();
    await page.reload();
    await seeAgain();
    await inPage(page, `document.querySelector('${entry} summary').click()`);
    await page.waitForSelector(entry, { hidden: true });
    await page.reload();
    await page.waitForSelector('#list .entry');
    expect(await page.$('#list [open]')).toBeNull();
  });
});
