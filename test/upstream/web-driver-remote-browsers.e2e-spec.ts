import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserGateway, report } from '../support/browser/browser-gateway.js';
import { RemoteChromium } from '../support/browser/remote-chromium.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

describe('two browsers on other machines under the gateway', () => {
  let rig: BrowserGateway;
  let browsers: [RemoteChromium, RemoteChromium];

  beforeEach(async () => {
    browsers = await Promise.all([RemoteChromium.start(), RemoteChromium.start()]);
    rig = await BrowserGateway.start({
      BROWSER_ENDPOINTS: browsers.map(({ endpoint }) => endpoint).join(','),
      POOL_MIN_SESSIONS: 0,
      // The usual ones: a hung browser is to be known before a request has used up its tries.
      UPSTREAM_FIRST_BYTE_MS: 60_000,
      RETRY_BASE_DELAY_MS: 500,
      RETRY_MAX_DELAY_MS: 8000,
    });
  });
  afterEach(async () => {
    await rig.close();
    await Promise.all(browsers.map((browser) => browser.close()));
  });

  /** The browser with the most pages of the site first. */
  async function byUse(): Promise<[RemoteChromium, RemoteChromium]> {
    const [first, second] = await Promise.all(browsers.map((browser) => browser.pages()));
    return first!.length >= second!.length ? browsers : [browsers[1], browsers[0]];
  }

  /** Successful logins so far, over all accounts. */
  const logins = (): number => [...rig.site.logins.values()].reduce((sum, { ok }) => sum + ok, 0);

  async function status(): Promise<{ readonly lostBrowsers?: readonly string[] }> {
    const response = await fetch(`${rig.gateway.origin}/dashboard/api/status`);
    return (await response.json()) as { readonly lostBrowsers?: readonly string[] };
  }

  it('F09: one is killed while accounts log in', async () => {
    await rig.ready();
    const before = logins();
    rig.site.accounts.forEach(({ name }) => rig.site.logOutEverywhere(name));
    rig.site.setFeatures({ loginMs: 2000 });
    const callers = [0, 1, 2].map(() => rig.ask('[[say:hello]]'));
    const [used] = await eventually(PATIENCE_MS, async () => {
      const order = await byUse();
      expect(await order[0].pages()).toContainEqual(expect.stringContaining('/login'));
      return order;
    });
    const at = performance.now();
    await used.close();
    const received = await Promise.all(callers.map(({ ended }) => ended));
    expect(received.map(({ answer }) => answer)).toEqual(['hello', 'hello', 'hello']);
    await rig.ready();
    // One for each account, and one more for each that was cut off after the site had let it in.
    expect(logins() - before).toBeLessThanOrEqual(6);
    report('F09 login', { 'last answer after': Math.max(...received.map(({ endedAt }) => endedAt)) - at });
  });

  it('F09: one hangs, and the other takes over with the logins that there are', async () => {
    await rig.ready();
    const before = logins();
    const [used] = await byUse();
    used.signal('SIGSTOP');
    const at = performance.now();
    const callers = [0, 1, 2].map(() => rig.ask('[[say:hello]]'));
    const received = await Promise.all(callers.map(({ ended }) => ended));
    expect(received.map(({ answer }) => answer)).toEqual(['hello', 'hello', 'hello']);
    const answeredMs = Math.max(...received.map(({ endedAt }) => endedAt)) - at;
    await eventually(PATIENCE_MS, async () => {
      expect((await status()).lostBrowsers).toEqual([expect.stringContaining(used.endpoint)]);
    });
    used.signal('SIGCONT');
    const continuedAt = performance.now();
    await eventually(PATIENCE_MS, async () => expect(await status()).not.toHaveProperty('lostBrowsers'));
    report('F09 hung', { 'last answer after': answeredMs, 'back after': performance.now() - continuedAt });
    // What the gateway had in it before is closed.
    await eventually(PATIENCE_MS, async () => expect(await used.contexts()).toEqual([]));
    expect(logins()).toBe(before);
  });
});
