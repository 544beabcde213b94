import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type UpstreamSession } from '../../src/upstream/upstream-driver.js';
import { type BrowserSupervisor } from '../../src/upstream/web/browser/browser-supervisor.js';
import { type WebDriver } from '../../src/upstream/web/web-driver.js';
import { browserProcesses, noBrowserLeft, signalBrowser } from '../support/browser-processes.js';
import { type Answer, ask, WebSite } from '../support/web-site.js';

const never = new AbortController().signal;
const IDLE_MS = 1000;

/** Keeps the main thread of every open page busy for good. */
async function loopInPages(driver: WebDriver): Promise<void> {
  const { supervisor } = driver as unknown as { supervisor: BrowserSupervisor };
  const { browser } = await supervisor.browser();
  for (const context of browser.browserContexts()) {
    for (const page of await context.pages()) {
      page.evaluate('for (;;) {}').catch(() => undefined);
    }
  }
}

describe('WebDriver, browser faults', () => {
  let web: WebSite;
  let driver: WebDriver;

  beforeEach(async () => {
    web = await WebSite.start({ settings: { UPSTREAM_FIRST_BYTE_MS: 3000, UPSTREAM_IDLE_MS: IDLE_MS } });
    driver = web.driver();
  });
  afterEach(async () => {
    await web.close();
    expect(await noBrowserLeft(web.settings.DATA_DIR)).toBe(true);
  });

  const open = (account = 0): Promise<UpstreamSession> => driver.open(web.account(account), never);

  /** Runs answers, does the harm once every one has begun, and tells how long after it each ended. */
  async function harmed(
    sessions: UpstreamSession[],
    harm: () => Promise<unknown>,
    prompt = '[[chunks:2000x10ms]]',
  ): Promise<{ answers: Answer[]; endedAfterMs: number }> {
    let begun = 0;
    let harmedAt = Infinity;
    const answers = await Promise.all(
      sessions.map((session) => {
        let isFirst = true;
        return ask(session, prompt, {
          thinking: false,
          onEvent: ({ type }) => {
            if (type === 'text' && isFirst) {
              isFirst = false;
              begun++;
              if (begun === sessions.length) {
                harmedAt = performance.now();
                void harm();
              }
            }
          },
        });
      }),
    );
    return { answers, endedAfterMs: performance.now() - harmedAt };
  }

  async function reusableAfterMs(): Promise<number> {
    const from = performance.now();
    const session = await open();
    expect((await ask(session, '[[say:back]]')).text).toBe('back');
    await session.close();
    return performance.now() - from;
  }

  const signal = (type: string, name: NodeJS.Signals) => () =>
    signalBrowser(web.settings.DATA_DIR, type, name);

  it('a browser killed before the answer: browser_crashed, and a new one', async () => {
    const session = await open();
    const answering = ask(session, '[[delay:5000]]');
    await web.site.whenRecord(() => true, AbortSignal.timeout(5000));
    const from = performance.now();
    await signal('browser', 'SIGKILL')();
    expect((await answering).error).toMatchObject({ reason: 'browser_crashed' });
    expect(performance.now() - from).toBeLessThan(500);
    expect((await ask(session, '[[say:back]]')).text).toBe('back');
    expect(performance.now() - from).toBeLessThan(3500);
    await session.close();
  });

  it('a browser killed under four streams ends all four within 500 ms', async () => {
    const sessions = await Promise.all([open(0), open(0), open(1), open(2)]);
    const { answers, endedAfterMs } = await harmed(sessions, signal('browser', 'SIGKILL'));
    for (const { error, events } of answers) {
      expect(error).toMatchObject({ reason: 'browser_crashed' });
      expect(events.at(-1)?.type).toBe('text');
    }
    expect(endedAfterMs).toBeLessThan(500);
    await Promise.all(sessions.map((session) => session.close()));
    expect(await reusableAfterMs()).toBeLessThan(3000);
  });

  it('a killed renderer: page_crashed within 500 ms', async () => {
    const session = await open();
    const { answers, endedAfterMs } = await harmed([session], signal('renderer', 'SIGKILL'));
    expect(answers[0]?.error).toMatchObject({ reason: 'page_crashed' });
    expect(endedAfterMs).toBeLessThan(500);
    await session.close();
    expect(await reusableAfterMs()).toBeLessThan(1500);
  });

  it('a stopped renderer: stream_idle, and the account goes on', async () => {
    const session = await open();
    const { answers, endedAfterMs } = await harmed([session], signal('renderer', 'SIGSTOP'));
    expect(answers[0]?.error).toMatchObject({ reason: 'stream_idle' });
    expect(endedAfterMs).toBeLessThan(IDLE_MS + 500);
    await session.close();
    expect(await reusableAfterMs()).toBeLessThan(3000);
  });

  it('a page in an endless loop: stream_idle, and the account goes on', async () => {
    const session = await open();
    const { answers, endedAfterMs } = await harmed([session], () => loopInPages(driver));
    expect(answers[0]?.error).toMatchObject({ reason: 'stream_idle' });
    expect(endedAfterMs).toBeLessThan(IDLE_MS + 500);
    await session.close();
    expect(await reusableAfterMs()).toBeLessThan(3000);
  });

  it('a stopped browser is found, killed and replaced', async () => {
    const session = await open();
    const { answers, endedAfterMs } = await harmed([session], signal('browser', 'SIGSTOP'));
    expect(answers[0]?.error).toMatchObject({ name: 'UnavailableError' });
    expect(endedAfterMs).toBeLessThan(IDLE_MS + 500);
    await session.close();
    expect(await reusableAfterMs()).toBeLessThan(5000);
    expect(web.logLines).toContain('Browser lost: browser_hung');
  });

  it('leaves no process behind when it closes, frozen browser included', async () => {
    await open();
    expect((await browserProcesses(web.settings.DATA_DIR)).length).toBeGreaterThan(3);
    await signal('browser', 'SIGSTOP')();
    const from = performance.now();
    await driver.close();
    expect(performance.now() - from).toBeLessThan(8000);
    expect(await noBrowserLeft(web.settings.DATA_DIR)).toBe(true);
  });
});
