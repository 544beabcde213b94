import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Page } from 'puppeteer';
import { textOf } from '../support/browser/dashboard-browser.js';
import { PAGE_PATHS } from '../support/browser/page-paths.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK } from '../support/gateway/stub-gateway.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const ASSETS = '/dashboard/assets/';
const BUILT = `${ASSETS}built/`;
/**
 * 79 KiB in 16 answers, half of it scripts that the pages share, and 21 KiB the charts. A slow machine asks for the figures
 * once or twice more, 1 KiB each.
 */
const WIRE_KIB = 84;

const dashboard = useDashboard();
/** Paths of all requests so far. */
const asked: string[] = [];
const sockets: Socket[] = [];

beforeAll(() => {
  const server = dashboard.gateway.app.getHttpServer();
  server.on('request', ({ url = '' }: IncomingMessage) => asked.push(url));
  server.on('connection', (socket: Socket) => sockets.push(socket));
});
beforeEach(() => {
  asked.length = 0;
  sockets.length = 0;
});

async function isLive(page: Page): Promise<void> {
  await eventually(PATIENCE_MS, async () => expect(await textOf(page, '#live')).toBe('Updating'));
}

describe('the built client', () => {
  it('is light over the wire: the overview at the first visit, with requests in it', async () => {
    await dashboard.gateway.complete(ASK);
    sockets.length = 0;
    const page = await dashboard.open();
    await isLive(page);
    await page.waitForSelector('#stream [data-entry]', { timeout: PATIENCE_MS });
    await page.waitForSelector('#capacity table', { timeout: PATIENCE_MS });
    // All that the gateway wrote: heads of answers, and what the shared worker asked for, too.
    const bytes = sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    expect(bytes / 1024).toBeLessThan(WIRE_KIB);
  });

  it('is fetched once: a later visit asks for the page alone', async () => {
    const page = await dashboard.open();
    await isLive(page);
    asked.length = 0;
    await page.goto(`${dashboard.gateway.origin}/dashboard`);
    await isLive(page);
    expect(asked.filter((path) => path.startsWith(BUILT))).toEqual([]);
  });

  it.each(PAGE_PATHS)('shows the page %s', async (path) => {
    const page = await dashboard.open(path);
    await page.waitForSelector('#sign[data-tone="ok"]', { timeout: PATIENCE_MS });
    await page.waitForSelector('.skeleton', { hidden: true, timeout: PATIENCE_MS });
    const plain = asked.filter((name) => name.startsWith(ASSETS) && !name.startsWith(BUILT));
    expect(new Set(plain)).toEqual(new Set([`${ASSETS}favicon.svg`, `${ASSETS}theme-first.js`]));
  });

  it('serves its files for good, and to a client that takes no compressed ones', async () => {
    const html = await (await fetch(`${dashboard.gateway.origin}/dashboard`)).text();
    const [, style = ''] = /href="(\/dashboard\/assets\/built\/overview-\w+\.css)"/.exec(html) ?? [];
    const response = await fetch(dashboard.gateway.origin + style, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(await response.text()).toContain('.tiles');
  });
});
