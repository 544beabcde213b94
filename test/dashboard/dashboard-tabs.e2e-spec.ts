import { type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { inPage, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const KEY = 'key-of-all-tabs';
/** Browsers allow six connections to a host over HTTP/1.1: with a stream each, a seventh tab would never load. */
const TABS = ['', '/logs', '/network', '', '/logs', '/network', '/accounts'];

/** Readings of the overview while requests are counted: two periods, and less than one of the capacity. */
const READINGS = 3;

const API_KEYS = '/dashboard/api/keys';

const dashboard = useDashboard({ API_KEY: KEY });

/** Sends a request, and resolves with its id. */
async function ask(): Promise<string> {
  const { headers } = await dashboard.gateway.complete(ASK, dashboard.withKey);
  return headers.get('x-request-id') ?? '';
}

/** Opens tabs of one browser, beside each other. */
async function openTabs(paths: readonly string[]): Promise<Page[]> {
  const [first = '', ...others] = paths;
  const tab = await dashboard.open(first);
  const rest = others.map((path) => dashboard.open(path, { beside: tab }));
  return [tab, ...(await Promise.all(rest))];
}

/** Waits until each page shows the newest request: a list its row, any other page how the gateway serves. */
async function seeRequest(tabs: readonly Page[], id: string): Promise<void> {
  const exchanges = await fetch(
    `${dashboard.gateway.origin}/log/json?kind=network&limit=1`,
    dashboard.withKey,
  );
  const { entries } = (await exchanges.json()) as { entries: readonly { readonly id: string }[] };
  const rows: Partial<Record<string, string>> = { network: entries[0]?.id ?? '', accounts: '' };
  const seeIn = async (tab: Page): Promise<void> => {
    const name = new URL(tab.url()).pathname.split('/').at(-1) ?? '';
    const row = rows[name] ?? id;
    await tab.waitForSelector(row === '' ? '#sign[data-tone="ok"]' : `[data-entry="${row}"]`, {
      timeout: PATIENCE_MS,
    });
  };
  await Promise.all(tabs.map(seeIn));
}

/** Simulates the tab going to the background or coming to the front. */
const setHidden = (tab: Page, isHidden: boolean): Promise<void> =>
  inPage(
    tab,
    `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
     document.dispatchEvent(new Event('visibilitychange'));`,
  );

const liveState = (tab: Page): Promise<string> => textOf(tab, '#live');

async function allLive(tabs: readonly Page[]): Promise<void> {
  for (const tab of tabs.filter((page) => !page.url().endsWith('/accounts'))) {
    await eventually(PATIENCE_MS, async () => expect(await liveState(tab)).toBe('Updating'));
  }
}

/** Waits until so many streams are open at the gateway. */
const readersAre = (count: number): Promise<void> =>
  eventually(PATIENCE_MS, () => expect(dashboard.gateway.logReaders).toBe(count));

describe('tabs of one browser', () => {
  it('are all live over one stream, which ends with the last of them', async () => {
    const tabs = await openTabs(TABS);
    await allLive(tabs);
    await readersAre(1);
    const id = await ask();
    await seeRequest(tabs, id);
    for (const tab of tabs.slice(1)) {
      await tab.close();
    }
    await allLive(tabs.slice(0, 1));
    await readersAre(1);
    await tabs[0]?.close();
    await readersAre(0);
  });

  it('are all live again after a restart of the gateway', async () => {
    const tabs = await openTabs(TABS.slice(0, 6));
    await allLive(tabs);
    await dashboard.gateway.restart();
    const id = await ask();
    await seeRequest(tabs, id);
    await allLive(tabs);
    await readersAre(1);
  });
});

/** Counts the requests of pages by their paths from now on. */
function countRequests(): Map<string, number> {
  const counts = new Map<string, number>();
  const server = dashboard.gateway.app.getHttpServer();
  server.on('request', ({ url = '' }: IncomingMessage) => {
    const [path = ''] = url.split('?');
    counts.set(path, (counts.get(path) ?? 0) + 1);
  });
  return counts;
}

describe('requests of pages', () => {
  const API = '/dashboard/api';

  it('are sent once for all tabs where they are the same, and not more often than their period', async () => {
    const counts = countRequests();
    const began = performance.now();
    const tabs = await openTabs(['', '/logs', '/network']);
    await allLive(tabs);
    await eventually(PATIENCE_MS, () =>
      expect(counts.get(`${API}/overview`)).toBeGreaterThanOrEqual(READINGS),
    );
    const seconds = (performance.now() - began) / 1000;
    const often = (periodSeconds: number) => Math.ceil(seconds / periodSeconds);
    const bounds = {
      // Each tab that joins is told at once, and so is one that goes to the background and comes back.
      [`${API}/status`]: often(1) + 2 * tabs.length,
      [`${API}/overview`]: often(5),
      // The two lists read their filter's choices.
      [`${API}/accounts`]: often(5) + 2,
      [`${API}/capacity`]: often(15),
      // Opened for requests, then for exchanges too: the lists are read again behind the new stream.
      '/log/stream': 2,
      '/log/json': tabs.length + 2,
    };
    for (const [path, most] of Object.entries(bounds)) {
      expect([path, Math.max(most, counts.get(path) ?? 0)]).toEqual([path, most]);
    }
  });

  it('end while a tab is hidden', async () => {
    const tabs = await openTabs(['', '/logs', '/keys']);
    await allLive(tabs.slice(0, 2));
    await Promise.all(tabs.map((tab) => setHidden(tab, true)));
    await readersAre(0);
    const counts = countRequests();
    // Another visitor's page, which shows that time goes by.
    await dashboard.open('/settings');
    await eventually(PATIENCE_MS, () => expect(counts.get(`${API}/status`)).toBeGreaterThan(4));
    expect([counts.get(`${API}/overview`), counts.get(`${API}/keys`), counts.get('/log/stream')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await Promise.all(tabs.map((tab) => setHidden(tab, false)));
    await allLive(tabs.slice(0, 2));
  });
});

describe('the key', () => {
  const strangers = { key: undefined };
  const enter = async (tab: Page, key: string, isBoxClicked: boolean): Promise<void> => {
    await tab.locator('#key-input').fill(key);
    if (isBoxClicked) {
      await tab.click('#key-dialog [name="keep"]');
    }
    await tab.keyboard.press('Enter');
    await tab.waitForSelector('#key-dialog', { hidden: true, timeout: PATIENCE_MS });
  };

  it('is kept for the tab alone, unless the person wants it for all', async () => {
    const first = await dashboard.open('/logs', strangers);
    await enter(first, KEY, false);
    await allLive([first]);
    const second = await dashboard.open('/logs', { ...strangers, beside: first });
    await enter(second, KEY, true);
    await allLive([second]);
    const third = await dashboard.open('/logs', { ...strangers, beside: first });
    await allLive([third]);
    await second.click('[aria-label="Forget the key"]');
    await third.waitForSelector('#key-dialog', { timeout: PATIENCE_MS });
    await allLive([first]);
  });

  it('that is forgotten in one tab is so in all, with what it has shown', async () => {
    const first = await dashboard.open('/keys', strangers);
    await enter(first, KEY, true);
    const second = await dashboard.open('/accounts', { ...strangers, beside: first });
    await second.waitForSelector('.account');
    await first.click('[aria-label="Forget the key"]');
    await second.waitForSelector('#key-dialog', { timeout: PATIENCE_MS });
    expect(await second.$('.account')).toBeNull();
  });

  it('that is forgotten leaves nothing on a page to which somebody goes back', async () => {
    const page = await dashboard.open('/accounts', strangers);
    await enter(page, KEY, false);
    await page.waitForSelector('.account');
    // As a browser does that has kept the page while the key was forgotten on the next one.
    await inPage(page, `sessionStorage.removeItem('gateway-key')`);
    await inPage(page, `void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await page.waitForSelector('#key-dialog', { timeout: PATIENCE_MS });
    expect(await page.$('.account')).toBeNull();
  });

  it('opens a page also where the browser lets it store nothing', async () => {
    const page = await dashboard.open('/accounts', strangers);
    await page.evaluateOnNewDocument(`
      for (const name of ['sessionStorage', 'localStorage']) {
        Object.defineProperty(window, name, { get: () => { throw new DOMException('', 'SecurityError'); } });
      }
    `);
    await page.reload();
    await enter(page, KEY, true);
    await page.waitForSelector('.account', { timeout: PATIENCE_MS });
  });

  it("of a caller in the place of an operator's leaves nothing of what that has shown", async () => {
    const made = await dashboard.gateway.post({ name: 'ann' }, dashboard.withKey, API_KEYS);
    const { secret } = (await made.json()) as { secret: string };
    const first = await dashboard.open('/keys', strangers);
    await enter(first, KEY, true);
    const second = await dashboard.open('/accounts', { ...strangers, beside: first });
    await second.waitForSelector('.account');
    await inPage(first, `localStorage.setItem('gateway-key', ${JSON.stringify(secret)})`);
    await seeText(second, '#list', 'Another key is needed');
    expect(await second.$('.account')).toBeNull();
  });

  it('that is revoked ends the stream, and one of the tabs is asked for all', async () => {
    const send = (path: string, body: object): Promise<Response> =>
      dashboard.gateway.post(body, dashboard.withKey, `${API_KEYS}${path}`);
    const made = (await (await send('', { name: 'wall', role: 'operator' })).json()) as { secret: string };
    const first = await dashboard.open('/logs', strangers);
    await enter(first, made.secret, true);
    const second = await dashboard.open('/logs', { ...strangers, beside: first });
    await allLive([first, second]);
    expect((await send('/wall/revoke', {})).status).toBe(200);
    for (const tab of [first, second]) {
      await tab.waitForSelector('#key-dialog', { timeout: PATIENCE_MS });
    }
    await readersAre(0);
    // The box is still checked, from the last key.
    await enter(second, KEY, false);
    await allLive([first, second]);
    await readersAre(1);
  });
});
