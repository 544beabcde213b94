import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type HTTPRequest, type Page } from 'puppeteer';
import { click, inPage, press, seeText, textOf } from '../support/browser/dashboard-browser.js';
import { PAGE_PATHS } from '../support/browser/page-paths.js';
import { useDashboard } from '../support/browser/use-dashboard.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, hangs } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const KEY = 'key-of-the-gateway';

const dashboard = useDashboard({
  API_KEY: KEY,
  UPSTREAM_API_KEYS: 'sk-one,sk-two',
  RETRY_MAX_ATTEMPTS: 1,
});

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(dashboard.gateway.origin + path, init);
/** With `if-none-match`, `fetch` would bypass the cache validation by itself. */
async function statusIfChanged(path: string, etag: string): Promise<number | undefined> {
  const request = httpGet(dashboard.gateway.origin + path, {
    headers: { 'if-none-match': etag, 'accept-encoding': 'gzip' },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('the pages', () => {
  it.each(PAGE_PATHS.flatMap((page) => [page, `${page}/`]))(
    '/dashboard%s comes without a key and without data',
    async (page) => {
      const response = await get(`/dashboard${page}`);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(text).toContain('<title>');
      expect(text).not.toMatch(/<script>|<style|style=|\son\w+=|key-of|https?:/);
    },
  );

  it.each(PAGE_PATHS)('/dashboard%s answers HEAD like GET, and nothing else', async (page) => {
    const head = await get(`/dashboard${page}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await get(`/dashboard${page}`, { method, ...dashboard.withKey });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('are all in the navigation of an operator, except the one for callers', async () => {
    const page = await dashboard.open();
    await page.waitForSelector('nav a');
    const paths = await inPage<string[]>(
      page,
      `Array.from(document.querySelectorAll('nav a'), (link) => new URL(link.href).pathname)`,
    );
    const others = PAGE_PATHS.filter((path) => path !== '/own');
    expect(paths.toSorted()).toEqual(others.map((path) => `/dashboard${path}`).toSorted());
  });

  it.each([
    ['pages/overview.js', 'text/javascript'],
    ['styles/base.css', 'text/css'],
    ['favicon.svg', 'image/svg+xml'],
    ['uplot/uPlot.esm.js', 'text/javascript'],
    ['uplot/uPlot.min.css', 'text/css'],
    ['diff/diff/word.js', 'text/javascript'],
  ])('include the file %s', async (name, type) => {
    const path = `/dashboard/assets/${name}`;
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const etag = response.headers.get('etag') ?? '';
    expect(await statusIfChanged(path, etag)).toBe(304);
    expect((await get(path, { method: 'POST', ...dashboard.withKey })).headers.get('allow')).toBe(
      'GET, HEAD',
    );
  });

  it('come with scripts and styles compressed as the browser takes them', async () => {
    const path = '/dashboard/assets/styles/base.css';
    const sent = async (encodings: string) => {
      const request = httpGet(dashboard.gateway.origin + path, {
        headers: { 'accept-encoding': encodings },
        agent: false,
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const body = Buffer.concat(await response.toArray());
      return { body, encoding: response.headers['content-encoding'], vary: response.headers.vary };
    };
    const [plain, zipped, brotli] = await Promise.all(['identity', 'gzip, deflate', 'gzip, br'].map(sent));
    expect(plain?.encoding).toBeUndefined();
    expect([zipped?.encoding, zipped?.vary]).toEqual(['gzip', expect.stringContaining('Accept-Encoding')]);
    expect(gunzipSync(zipped!.body)).toEqual(plain!.body);
    expect([brotli?.encoding, brotliDecompressSync(brotli!.body)]).toEqual(['br', plain!.body]);
    expect(brotli!.body.length).toBeLessThan(zipped!.body.length);
  });

  it.each([
    '/dashboard/unknown',
    '/dashboard/logs/x',
    '/dashboard/assets/',
    '/dashboard/assets/pages/unknown.js',
    '/dashboard/assets/uplot',
    '/dashboard/assets/../pages/logs.html',
    '/dashboard/assets/..%2f..%2f..%2fpackage.json',
    '/dashboard/assets/%2e%2e/pages/logs.html',
    '/dashboard/assets/..%5c..%5cpackage.json',
    '/dashboard/assets/styles/base.css%00.js',
    '/dashboard/assets/uplot/..%2fpackage.json',
    '/dashboard/specs/format.spec.mjs',
  ])('do not reveal %s', async (path) => {
    const stranger = await get(path);
    expect([stranger.status, await stranger.json()]).toMatchObject([
      401,
      { error: { code: 'invalid_api_key' } },
    ]);
    const known = await get(path, dashboard.withKey);
    expect([known.status, await known.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });
});

describe('the overview', () => {
  it('shows figures, pool, accounts, and requests as they come', async () => {
    dashboard.stub.answerWith(
      answer({ usage: { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 } }),
    );
    const page = await dashboard.open();
    await seeText(page, '#live', 'Updating');
    await seeText(page, '#stream', 'No requests yet');
    await seeText(page, '#process', 'provider openai');
    await seeText(page, '#accounts', '2 ready');
    const first = await dashboard.gateway.complete(ASK, dashboard.withKey);
    const id = first.headers.get('x-request-id') ?? '';
    dashboard.stub.answerNextWith(failed(500));
    await dashboard.gateway.complete(ASK, dashboard.withKey);
    await seeText(page, '#stream', 'upstream error');
    await seeText(page, `[data-entry="${id}"]`, '1.2K / 34');
    await seeText(page, '#tiles', 'Requests 2');
    await seeText(page, '#tiles', 'Errors 1');
    await page.waitForSelector('#throughput canvas');
    expect(
      await inPage(page, `document.querySelector('#throughput [role="img"]').getAttribute('aria-label')`),
    ).toBe('Requests over time. 2 requests, of which 1 failed and 0 were rate limited.');
    await eventually(PATIENCE_MS, async () => expect(await isDrawn(page, '#latency')).toBe(true));
    await Promise.all([page.waitForNavigation(), click(page, `[data-entry="${id}"]`)]);
    await seeText(page, '#pinned', id);
  });

  /** Whether a chart shows data: axes and labels are grey, lines and bars coloured. */
  function isDrawn(page: Page, chart: string): Promise<boolean> {
    return inPage(
      page,
      `(() => {
        const canvas = document.querySelector('${chart} canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const pixels = Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 3));
        return pixels.some((pixel) => Math.max(...pixel) - Math.min(...pixel) > 80);
      })()`,
    );
  }

  it('fills what is between the median and the 95th percentile of durations', async () => {
    const page = await dashboard.open();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isOverview = new URL(request.url()).pathname === '/dashboard/api/overview';
      void (isOverview ? respondWithDurations(request) : request.continue());
    });
    await page.reload();
    const tinted = `(() => {
      const canvas = document.querySelector('#latency canvas');
      const { data } = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      const [red, green, blue] = [0xfd, 0xf0, 0xd9];
      return data.filter((value, at) => at % 4 === 0 && value === red && data[at + 1] === green && data[at + 2] === blue).length;
    })()`;
    await eventually(PATIENCE_MS, async () => expect(await inPage(page, tinted)).toBeGreaterThan(1000));
  });

  async function respondWithDurations(request: HTTPRequest): Promise<void> {
    const overview = (await (await fetch(request.url(), dashboard.withKey)).json()) as {
      series: { t: readonly number[] };
    };
    const { series } = overview;
    const times = { p50Ms: series.t.map(() => 300), p95Ms: series.t.map(() => 900) };
    await request.respond({ body: JSON.stringify({ ...overview, series: { ...series, ...times } }) });
  }

  it('counts running requests', async () => {
    dashboard.stub.answerNextWith(hangs(1));
    const page = await dashboard.open();
    await seeText(page, '#live', 'Updating');
    const caller = new AbortController();
    const response = await dashboard.gateway.post(ASK, { ...dashboard.withKey, signal: caller.signal });
    await seeText(page, '#stream li:first-child .outcome', 'answering');
    await seeText(page, '#tiles', 'Running 1');
    caller.abort();
    await response.text().catch(() => undefined);
    await seeText(page, '#stream li:first-child .outcome', 'cancelled');
  });

  it('keeps the chosen range in the address', async () => {
    const page = await dashboard.open('?minutes=15');
    expect(await inPage(page, `document.querySelector('[name="minutes"]:checked').value`)).toBe('15');
    await press(page, '#range', '6 h');
    expect(await inPage(page, 'location.search')).toBe('?minutes=360');
  });

  it('keeps the chosen theme', async () => {
    const page = await dashboard.open();
    const background = (): Promise<string> => inPage(page, 'getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await click(page, '#theme');
    await click(page, '#theme');
    expect(await background()).not.toBe(light);
    await page.goto(`${dashboard.gateway.origin}/dashboard/logs`);
    expect(await inPage(page, 'document.documentElement.dataset.theme')).toBe('dark');
    expect(await textOf(page, 'h1')).toBe('Logs');
  });
});

describe('a gateway without a key', () => {
  it('asks for no key, and uses one set on the settings page', async () => {
    const unlocked = await StubGateway.start();
    try {
      const page = await dashboard.browser.open(unlocked.origin);
      await seeText(page, '#live', 'Updating');
      await seeText(page, '#process', 'provider openai');
      expect(await page.$('#key-dialog')).toBeNull();
      await page.goto(`${unlocked.origin}/dashboard/settings`);
      await page.locator('#setting-API_KEY').fill('the-first-key');
      await click(page, '#save');
      await seeText(page, '#summary', 'Saved API_KEY.');
      expect((await fetch(`${unlocked.origin}/v1/models`)).status).toBe(401);
      await page.goto(`${unlocked.origin}/dashboard/logs`);
      await seeText(page, '#live', 'Updating');
      expect(await page.$('#key-dialog')).toBeNull();
    } finally {
      await unlocked.close();
    }
  });
});
