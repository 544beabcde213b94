import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Browser } from 'puppeteer';
import { type UpstreamSession } from '../../src/upstream/upstream-driver.js';
import { type BrowserFleet } from '../../src/upstream/web/browser/browser-fleet.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { type WebLimits } from '../../src/upstream/web/web-limits.js';
import { browserProcesses, noBrowserLeft, signalBrowser } from '../support/browser/browser-processes.js';
import { ask, type TestAccount, WebSite } from '../support/upstream/web-site.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

const never = new AbortController().signal;
const LOOK_MS = 100;

/** Contexts and browsers are replaced while they are in use, and nobody who uses them notices. */
describe('WebDriver, recycling', () => {
  let web: WebSite;
  let driver: WebDriver;
  let account: TestAccount;

  beforeEach(async () => {
    web = await WebSite.start();
    account = web.account();
  });
  afterEach(async () => {
    await web.close();
    expect(await noBrowserLeft(web.settings.DATA_DIR)).toBe(true);
  });

  function start(limits: Partial<WebLimits>): void {
    driver = web.driver(undefined, { lookEveryMs: LOOK_MS, ...limits });
  }

  const open = (count = 1): Promise<UpstreamSession[]> =>
    Promise.all(Array.from({ length: count }, () => driver.open(account, never)));

  async function browser(): Promise<Browser> {
    const { fleet } = driver as unknown as { fleet: BrowserFleet };
    return (await fleet.browser('')).browser;
  }

  /** Ids of the contexts of accounts that are open in the present browser. */
  async function contexts(): Promise<(string | undefined)[]> {
    const found = await browser();
    return found
      .browserContexts()
      .filter((context) => context !== found.defaultBrowserContext())
      .map(({ id }) => id);
  }

  async function pids(type: string): Promise<number[]> {
    const processes = await browserProcesses(web.settings.DATA_DIR);
    return processes.filter((one) => one.type === type).map(({ pid }) => pid);
  }

  const logins = (): number | undefined => web.site.logins.get(account.name)?.ok;

  /** Asks a session once, which must be ready for it and answer in full. */
  async function answer(session: UpstreamSession, text: string): Promise<void> {
    expect(session.isUsable).toBe(true);
    const { text: answered, error } = await ask(session, `[[say:${text}]]`);
    expect({ answered, error }).toEqual({ answered: text, error: undefined });
  }

  it('replaces a context after so many pages', async () => {
    start({ contextPages: 5 });
    const sessions = await open(3);
    const renderers = await pids('renderer');
    const seen = new Set(await contexts());
    await Promise.all(
      sessions.map(async (session, at) => {
        for (let turn = 0; turn < 5; turn++) {
          await answer(session, `answer ${turn} of ${at}`);
          (await contexts()).forEach((id) => seen.add(id));
        }
      }),
    );
    // 15 pages at least, at 5 each.
    expect(seen.size).toBeGreaterThanOrEqual(3);
    await eventually(PATIENCE_MS, async () => {
      expect(await contexts()).toHaveLength(1);
      // The pages that wait, and the browser's own.
      expect(await pids('renderer')).toHaveLength(sessions.length + 1);
    });
    expect((await pids('renderer')).filter((pid) => renderers.includes(pid))).toHaveLength(1);
    expect(logins()).toBe(1);
    await Promise.all(sessions.map((session) => session.close()));
  });

  it('replaces a context that was idle for long, and the page that waits in it', async () => {
    start({ contextIdleMs: 500 });
    const [session] = await open();
    const [first] = await contexts();
    await eventually(PATIENCE_MS, async () => {
      expect(session!.isUsable).toBe(true);
      const now = await contexts();
      expect(now).toHaveLength(1);
      expect(now).not.toContain(first);
    });
    await answer(session!, 'still here');
    expect(logins()).toBe(1);
    await session!.close();
    await eventually(PATIENCE_MS, async () => expect(await contexts()).toEqual([]));
  });

  it('replaces a page that froze while it waited', async () => {
    start({ lookLimitMs: 1000 });
    const [session] = await open();
    const frozen = await pids('renderer');
    await signalBrowser(web.settings.DATA_DIR, 'renderer', 'SIGSTOP');
    await eventually(PATIENCE_MS, () => expect(session!.isUsable).toBe(false));
    await session!.close();
    const [again] = await open();
    await answer(again!, 'back');
    // The browser's own empty page, which nothing is ever done with, was stopped with them.
    await eventually(PATIENCE_MS, async () => {
      expect((await pids('renderer')).filter((pid) => frozen.includes(pid))).toHaveLength(1);
    });
    await again!.close();
  });

  it.each([
    ['old', (ageMs: number) => ({ browserAgeMs: ageMs })],
    ['large', (ageMs: number) => ({ browserBytes: 1, browserGrowthMs: ageMs, weighEveryMs: 100 })],
  ])('replaces a browser that is %s, and lets it finish what it does', async (_case, limits) => {
    // On a busy machine, which starts browsers slowly, a new one would else be spent before it is in use.
    const factor = await browserPace.factor();
    start(limits(1500 * factor));
    const sessions = await open(3);
    const [first] = await pids('browser');
    const [long, ...others] = sessions;
    let isOver = false;
    const answering = ask(long!, `[[chunks:${Math.round(500 * factor)}x10ms]]`, {
      thinking: false,
    }).finally(() => (isOver = true));
    const overlap = eventually(PATIENCE_MS, async () => {
      expect((await pids('browser')).length).toBeGreaterThanOrEqual(2);
    });
    let turns = 0;
    await Promise.all(
      others.map(async (session) => {
        while (!isOver) {
          await answer(session, `answer ${turns++}`);
        }
      }),
    );
    const { events, error } = await answering;
    expect({ last: events.at(-1), error }).toEqual({
      last: { type: 'done', reason: 'stop' },
      error: undefined,
    });
    await overlap;
    await eventually(PATIENCE_MS, async () => expect(await pids('browser')).not.toContain(first));
    expect(logins()).toBe(1);
    expect(web.logLines.filter((line) => line.startsWith('Browser lost'))).toEqual([]);
    await Promise.all(sessions.map((session) => session.close()));
  });

  it('ends a browser that is old although an account logged in to it is not used', async () => {
    start({ browserAgeMs: 1500 });
    const [session] = await open();
    expect(await pids('browser')).not.toEqual([]);
    await session!.close();
    await eventually(PATIENCE_MS, async () => expect(await pids('browser')).toEqual([]));
  });
});
