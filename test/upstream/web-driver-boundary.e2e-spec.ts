import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Settings } from '../../src/common/config/settings.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { withBrowser } from '../../tools/recipe/tool-browser.js';
import { Canary, NO_HTTP } from '../support/hostile/canary.js';
import {
  hostileRoutes,
  REQUEST_WAYS,
  SIGNALLED_WAYS,
  WINDOW_REQUEST_WAYS,
} from '../support/hostile/hostile-page.js';
import { CompanyProxy } from '../support/upstream/company-proxy.js';
import { NetworkNotes } from '../support/upstream/network-notes.js';
import { OddSite } from '../support/upstream/odd-site.js';
import { ask } from '../support/upstream/web-site.js';

describe('a page that tries every way to an address', () => {
  let canary: Canary;
  let notes: NetworkNotes;
  let site: OddSite;

  beforeEach(async () => {
    canary = await Canary.start();
    notes = new NetworkNotes();
  });
  afterEach(async () => {
    await site.close();
    await canary.close();
  });

  async function start(recipe: object): Promise<void> {
    site = await OddSite.start({ routes: hostileRoutes(canary), recipe, network: notes });
  }

  /** Serves a prompt on the page, waits for `end`, and then ends the browser. */
  async function converse(end: () => Promise<void>): Promise<void> {
    const session = await site.open();
    expect(await ask(session, 'Say hello.')).toMatchObject({ text: 'Hello.', error: undefined });
    await end();
    await session.close();
    await site.driver.close();
  }

  /** Paths of refused requests to the canary, from the account's evidence, e.g. `image`. */
  function refused(): Set<string> {
    const lines = notes.ended.filter(
      ({ account, url, error }) =>
        account === 'alice' && url.includes(canary.host) && error === 'Refused: not in allowedOrigins.',
    );
    return new Set(lines.map(({ url }) => new URL(url).pathname.slice(1)));
  }

  /** Resolves once the account's evidence has a line for each of the ways, and the ways without HTTP have ended. */
  function held(ways: readonly string[]): Promise<void> {
    const haveEnded = (): boolean =>
      SIGNALLED_WAYS.every((way) => notes.ended.some(({ url }) => url.endsWith(`/ended/${way}`)));
    return notes.until(() => includes(refused(), ways) && haveEnded());
  }

  it('gets there without a boundary', async () => {
    await start({});
    const settings = Object.assign(new Settings(), {
      BROWSER_EXECUTABLE_PATH: process.env.BROWSER_EXECUTABLE_PATH,
    });
    const options = { settings, clock: new SystemClock(), rules: { allowedOrigins: [] } };
    await withBrowser(options, async ({ browser }) => {
      const page = await (await browser.createBrowserContext()).newPage();
      await page.goto(site.origin, { waitUntil: 'domcontentloaded' });
      const ways = [...REQUEST_WAYS, ...WINDOW_REQUEST_WAYS, 'websocket', NO_HTTP];
      await canary.until(() => includes(canary.requests, ways) && canary.seen.packets > 0);
    });
  });

  it('gets there through the boundary if its recipe allows that, but by TCP alone', async () => {
    await start({ allowedOrigins: ['{{site.origin}}', `http://${canary.host}`], windows: 'keep' });
    const ways = [...REQUEST_WAYS, ...WINDOW_REQUEST_WAYS, 'websocket', NO_HTTP];
    await converse(() => canary.until(() => includes(canary.requests, ways)));
    expect(canary.seen.packets).toBe(0);
    expect(refused()).toEqual(new Set());
  });

  it('is held at each of them, with a line for each in the evidence of its account', async () => {
    await start({ windows: 'keep' });
    await converse(() => held([...REQUEST_WAYS, ...WINDOW_REQUEST_WAYS]));
    expect(canary.seen).toEqual({ requests: [], connections: 0, packets: 0 });
  });

  it('has no windows to try it with if its recipe does not keep them', async () => {
    await start({});
    await converse(() => held(REQUEST_WAYS));
    expect(WINDOW_REQUEST_WAYS.filter((way) => refused().has(way))).toEqual([]);
    expect(canary.seen).toEqual({ requests: [], connections: 0, packets: 0 });
  });
});

function includes(found: ReadonlySet<string>, ways: readonly string[]): boolean {
  return ways.every((way) => found.has(way));
}

describe('a browser behind an outbound proxy', () => {
  const origin = 'http://chat.example';
  let company: CompanyProxy;
  let site: OddSite;

  beforeEach(async () => {
    const ports: Record<string, number> = {};
    company = await CompanyProxy.start(ports);
    site = await OddSite.start({
      recipe: {
        allowedOrigins: [origin],
        newChat: { url: `${origin}/`, ready: '#prompt' },
        capture: {
          mode: 'replay',
          request: { url: `${origin}/api/chat` },
          format: 'sse',
          answer: { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] },
        },
      },
      settings: { HTTP_PROXY: `http://me:secret@127.0.0.1:${company.port}` },
    });
    ports['chat.example'] = Number(new URL(site.origin).port);
  });
  afterEach(async () => {
    await site.close();
    company.close();
  });

  it('reaches its site through it, by a name that only the proxy knows', async () => {
    const session = await site.open();
    expect(await ask(session, 'Say hello.')).toMatchObject({ text: 'Hello.', error: undefined });
    expect(company.asked).toContain(`POST ${origin}/api/chat`);
    expect(new Set(company.credentials)).toEqual(new Set([`Basic ${btoa('me:secret')}`]));
  });

  it.each([
    ['wants a password', () => (company.refuseWith = 407), /needs a name and a password.* \(status 407\)/],
    ['is gone', () => company.close(), /cannot be reached\./],
  ])('says which proxy it is that %s', async (_what, fail, words) => {
    const { url } = company;
    fail();
    const failed = site.open();
    await expect(failed).rejects.toMatchObject({ fault: 'proxy_failed', reason: 'upstream_unreachable' });
    await expect(failed).rejects.toThrow(`The proxy ${url} (HTTP_PROXY)`);
    await expect(failed).rejects.toThrow(words);
    await expect(failed).rejects.not.toThrow('secret');
  });
});
