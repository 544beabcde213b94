import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { parseBrowserEndpoints } from '../../src/common/config/browser-endpoints.js';
import { SystemClock } from '../../src/common/time/clock.js';
import { type UpstreamAccount, type UpstreamSession } from '../../src/upstream/upstream-driver.js';
import { BrowserLauncher } from '../../src/upstream/web/browser/browser-launcher.js';
import { browserOptions } from '../../src/upstream/web/browser/browser-options.js';
import { GridSession } from '../../src/upstream/web/browser/remote/grid-session.js';
import { SeleniumGrid } from '../../src/upstream/web/browser/remote/selenium-grid.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { browserProcesses } from '../support/browser/browser-processes.js';
import { RemoteChromium } from '../support/browser/remote-chromium.js';
import { ScriptedGrid } from '../support/browser/scripted-grid.js';
import { ChildGateway } from '../support/gateway/child-gateway.js';
import { ask, WebSite } from '../support/upstream/web-site.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;

let web: WebSite;

const start = async (endpoints: readonly string[]): Promise<void> => {
  web = await WebSite.start({ settings: { BROWSER_ENDPOINTS: endpoints.join(',') } });
};

const sessions: UpstreamSession[] = [];

/** A session that `closeSessions` closes. */
async function open(driver: WebDriver, account: UpstreamAccount = web.account()): Promise<UpstreamSession> {
  const session = await driver.open(account, never);
  sessions.push(session);
  return session;
}

async function closeSessions(): Promise<void> {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
}

async function answer(session: UpstreamSession, text: string): Promise<void> {
  const { text: answered, error } = await ask(session, `[[say:${text}]]`);
  expect({ answered, error }).toEqual({ answered: text, error: undefined });
}

describe('WebDriver, Chromium on other machines', () => {
  const browsers: RemoteChromium[] = [];

  async function startBrowser(): Promise<RemoteChromium> {
    const browser = await RemoteChromium.start();
    browsers.push(browser);
    return browser;
  }

  afterEach(async () => {
    await closeSessions();
    await web.close();
    await Promise.all(browsers.splice(0).map((browser) => browser.close()));
  });

  it('finds its DevTools by its name, uses it, and leaves it as it was', async () => {
    const browser = await startBrowser();
    await start([browser.endpoint]);
    const driver = web.driver();
    const session = await open(driver);
    await answer(session, 'far');
    expect(await browser.contexts()).toHaveLength(1);
    expect(await browserProcesses(web.settings.DATA_DIR)).toEqual([]);
    await closeSessions();
    await driver.close();
    await eventually(PATIENCE_MS, async () => expect(await browser.contexts()).toEqual([]));
    expect(browser.isRunning).toBe(true);
  });

  /** The account under an id that leads it to this browser. */
  async function settle(driver: WebDriver, index: number, browser: RemoteChromium): Promise<UpstreamAccount> {
    const before = await browser.contexts();
    for (let tries = 0; tries < 50; tries++) {
      const account = { ...web.account(index), id: `account ${index} as ${tries}` };
      await open(driver, account);
      if ((await browser.contexts()).length > before.length) {
        return account;
      }
      await driver.forget(account.id);
    }
    throw new Error('No id leads to this browser.');
  }

  it('moves the accounts of a browser that is gone, and no other', async () => {
    const [first, second] = await Promise.all([startBrowser(), startBrowser()]);
    await start([first.endpoint, second.endpoint]);
    const driver = web.driver();
    const moving = await settle(driver, 0, first);
    const staying = await settle(driver, 1, second);
    const [kept] = await second.contexts();
    await first.close();
    await eventually(PATIENCE_MS, async () => {
      await answer(await open(driver, moving), 'moved');
    });
    await answer(await open(driver, staying), 'stayed');
    expect(driver.outage).toBeUndefined();
    const now = await second.contexts();
    expect(now).toHaveLength(2);
    expect(now).toContain(kept);
    expect(web.logLines).toContain(`${first.endpoint}: Browser lost: browser_crashed`);
  });

  it('replaces the connection after so many pages, and answers all the while', async () => {
    const browser = await startBrowser();
    await start([browser.endpoint]);
    const driver = web.driver(undefined, { browserPages: 4, lookEveryMs: 100 });
    const account = web.account();
    const seen = new Set<string>();
    const failures: unknown[] = [];
    const askOnce = async (): Promise<void> => {
      const session = await open(driver, account);
      await answer(session, 'again');
      (await browser.contexts()).forEach((id) => seen.add(id));
      await session.close();
    };
    await eventually(PATIENCE_MS, async () => {
      await askOnce().catch((error: unknown) => failures.push(error));
      expect(web.logLines).toContain('Browser is replaced: it is old or much used');
      expect(seen.size).toBeGreaterThan(1);
    });
    expect(failures).toEqual([]);
    await eventually(PATIENCE_MS, async () => expect((await browser.contexts()).length).toBeLessThan(2));
    expect(web.logLines.filter((line) => line.startsWith('Browser lost'))).toEqual([]);
    expect(web.site.logins.get(account.name)?.ok).toBe(1);
  });

  it('leaves no context of a gateway that is killed', async () => {
    const browser = await startBrowser();
    await start([]);
    const gateway = await ChildGateway.start({
      DATA_DIR: web.settings.DATA_DIR,
      BROWSER_ENDPOINTS: `ws://localhost:${browser.socket.port}${browser.socket.pathname}`,
      API_KEY: '',
    });
    try {
      await gateway.ask();
      expect((await browser.contexts()).length).toBeGreaterThan(0);
    } finally {
      await gateway.kill();
    }
    await eventually(PATIENCE_MS, async () => expect(await browser.contexts()).toEqual([]));
    expect((await browser.pages()).filter((url) => url.startsWith('http'))).toEqual([]);
  });
});

describe('WebDriver, an endpoint that takes connections and never answers', () => {
  const open: Socket[] = [];
  let wall: Server;
  let host: string;

  beforeEach(async () => {
    // The WebSocket of a proxy whose browser hangs is opened at `/silent`.
    const sockets = new WebSocketServer({ noServer: true });
    wall = createServer((request) => request.resume());
    wall.on('connection', (socket: Socket) => open.push(socket));
    wall.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (request.url?.startsWith('/silent')) {
        sockets.handleUpgrade(request, socket, head, () => undefined);
      } else {
        socket.resume().once('end', () => socket.end());
      }
    });
    wall.listen(0, '127.0.0.1');
    await once(wall, 'listening');
    host = `127.0.0.1:${(wall.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await web.close();
    open.splice(0).forEach((socket) => socket.destroy());
    wall.close();
  });

  it.each([['http://HOST'], ['ws://HOST/'], ['ws://HOST/silent'], ['webdriver+http://HOST']])(
    'F09: %s does not hold up the end of the gateway',
    async (entry) => {
      const endpoint = entry.replace('HOST', host);
      await start([endpoint]);
      const driver = web.driver();
      const opening = driver.open(web.account(), never).catch((error: unknown) => error);
      await eventually(PATIENCE_MS, () => expect(open).toHaveLength(1));
      const from = performance.now();
      await driver.close();
      await processPace.expectWithin(performance.now() - from, 2000);
      expect(await opening).toMatchObject({ fault: 'shutdown' });
      await eventually(PATIENCE_MS, () => expect(open.every(({ closed }) => closed)).toBe(true));
    },
  );

  it('is named in the failure', async () => {
    await start([]);
    const [endpoint] = parseBrowserEndpoints(`ws://${host}/silent?token=secret`);
    const options = browserOptions(web.settings, { allowedOrigins: [] }, endpoint);
    const launcher = new BrowserLauncher({ ...options, launchTimeoutMs: 50 }, new SystemClock());
    await expect(launcher.launch()).rejects.toMatchObject({
      fault: 'launch_failed',
      message: `ws://${host} cannot be used. The browser did not start in time.`,
    });
    await launcher.close();
  });
});

describe('WebDriver, a Selenium Grid', () => {
  let grid: ScriptedGrid;

  beforeEach(async () => {
    grid = await ScriptedGrid.start();
  });
  afterEach(async () => {
    await closeSessions();
    await web.close();
    await grid.close();
  });

  it('gives a session, which is ended with the driver', async () => {
    await start([grid.endpoint]);
    const driver = web.driver();
    const session = await open(driver);
    await answer(session, 'from the grid');
    expect(grid.sessions.size).toBe(1);
    await closeSessions();
    await driver.close();
    expect(grid.sessions.size).toBe(0);
    expect(grid.requests).toEqual(['POST /wd/hub/session', 'DELETE /wd/hub/session/:id']);
    const args = ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--block-new-web-contents'];
    expect(grid.capabilities).toEqual([
      { alwaysMatch: { browserName: 'chrome', 'goog:chromeOptions': { args } } },
    ]);
  });

  it('gives another session when one is lost', async () => {
    await start([grid.endpoint]);
    const driver = web.driver();
    await open(driver);
    const [[id, browser]] = [...grid.sessions] as [[string, RemoteChromium]];
    await browser.close();
    await eventually(PATIENCE_MS, async () => {
      const session = await open(driver);
      await answer(session, 'from the next');
    });
    expect([...grid.sessions.keys()]).not.toContain(id);
  });

  it('is touched, lest it takes a session that only DevTools use for idle', async () => {
    await start([]);
    const session = await GridSession.start(grid.url, [], never, 20);
    await eventually(PATIENCE_MS, () => {
      expect(grid.requests.filter((request) => request === 'GET /wd/hub/session/:id/url')).not.toHaveLength(
        0,
      );
    });
    await session.release();
    await session.release();
    expect(grid.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
    expect(grid.sessions.size).toBe(0);
  });

  it('is not asked again while a request waits in its queue, and its late session is used', async () => {
    await start([]);
    const { promise, resolve } = Promise.withResolvers<void>();
    grid.queue = promise;
    const impatient = new SeleniumGrid(grid.url, [], 50);
    await expect(impatient.session()).rejects.toMatchObject({ fault: 'launch_failed' });
    await expect(impatient.session()).rejects.toMatchObject({ fault: 'launch_failed' });
    resolve();
    const session = await eventually(PATIENCE_MS, () => impatient.session());
    expect(grid.requests).toEqual(['POST /wd/hub/session']);
    await session.release();
    await impatient.close();
    expect(grid.sessions.size).toBe(0);
  });
});
