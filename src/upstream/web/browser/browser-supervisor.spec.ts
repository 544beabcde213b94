import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { type Browser, type CDPSession } from 'puppeteer';
import { eventually, PATIENCE_MS } from '../../../../test/support/watch/eventually.js';
import { Clock } from '../../../common/time/clock.js';
import { RateLimitedError, UnavailableError } from '../../upstream.errors.js';
import { WEB_LIMITS } from '../web-limits.js';
import { BrowserSupervisor } from './browser-supervisor.js';
import { LaunchedBrowser } from './launched-browser.js';

class ManualClock extends Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }
}

interface FakeTraits {
  /** Ends it as soon as somebody watches it. */
  readonly failure?: Error;
  /** What it does with messages; by default it answers them. */
  readonly send?: (method: string) => Promise<object>;
}

/** A browser on another machine. */
function browserAt(clock: Clock, { failure, send = async () => ({}) }: FakeTraits = {}): LaunchedBrowser {
  const gone = Promise.withResolvers<void>();
  const end = {
    close: async () => gone.resolve(),
    kill: () => gone.resolve(),
    gone: gone.promise,
    isRemote: true,
    heard: () => 0,
    failure: () => failure,
  };
  const browser = {
    once: (_event: string, listener: () => void) => failure && setImmediate(listener),
  } as unknown as Browser;
  const session = { send } as unknown as CDPSession;
  return new LaunchedBrowser(browser, 'Chrome/1', session, end, clock.monotonic());
}

describe('BrowserSupervisor', () => {
  it.each([
    ['60 s', {}, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['the limit of its own', { maxBackoffMs: 8000 }, [1, 2, 4, 8, 8]],
  ])(
    'backs off 1, 2, 4 … %s after failed starts, and rejects at once in between',
    async (_limit, limit, pauses) => {
      const clock = new ManualClock();
      let starts = 0;
      const supervisor = new BrowserSupervisor({
        ...limit,
        limits: WEB_LIMITS,
        clock,
        log: () => undefined,
        launcher: {
          launch: async () => {
            starts++;
            throw new UnavailableError('launch_failed', `start ${starts}`);
          },
          close: async () => undefined,
        },
      });
      const attempt = (): Promise<unknown> => supervisor.browser().catch((error: Error) => error.message);
      expect(await attempt()).toBe('start 1');
      for (const [index, seconds] of pauses.entries()) {
        clock.time += seconds * 1000 - 1;
        expect(await attempt()).toBe(`start ${index + 1}`);
        clock.time += 1;
        expect(await attempt()).toBe(`start ${index + 2}`);
      }
      expect(starts).toBe(pauses.length + 1);
      await supervisor.close();
      expect(await attempt()).toBe('The gateway is shutting down.');
    },
  );

  it('says once that its endpoint is full', async () => {
    const lines: string[] = [];
    const supervisor = new BrowserSupervisor({
      limits: WEB_LIMITS,
      clock: new ManualClock(),
      log: (line, level = 'log') => lines.push(`${level}: ${line}`),
      launcher: {
        launch: async () => {
          throw new RateLimitedError(1000, { message: 'All are in use.' });
        },
        close: async () => undefined,
      },
    });
    for (let tries = 0; tries < 2; tries++) {
      await expect(supervisor.browser()).rejects.toThrow('All are in use.');
    }
    expect(lines).toEqual(['warn: Browser cannot be had: All are in use.']);
    await supervisor.close();
  });

  it('starts one browser for concurrent callers', async () => {
    let starts = 0;
    const supervisor = new BrowserSupervisor({
      limits: WEB_LIMITS,
      clock: new ManualClock(),
      log: () => undefined,
      launcher: {
        launch: async () => {
          starts++;
          throw new UnavailableError('launch_failed', 'no');
        },
        close: async () => undefined,
      },
    });
    await Promise.allSettled([supervisor.browser(), supervisor.browser(), supervisor.browser()]);
    expect(starts).toBe(1);
    await supervisor.close();
  });

  it('is out from a failed start on, and starts again by itself', async () => {
    const lost = new UnavailableError('browser_not_found', 'No browser to start.');
    const tried = Promise.withResolvers<void>();
    let starts = 0;
    const clock = new ManualClock();
    const supervisor = new BrowserSupervisor({
      limits: WEB_LIMITS,
      clock,
      log: () => undefined,
      launcher: {
        launch: async () => {
          starts++;
          if (starts === 2) {
            tried.resolve();
          }
          throw lost;
        },
        close: async () => undefined,
      },
    });
    expect(supervisor.outage).toBeUndefined();
    await expect(supervisor.browser()).rejects.toBe(lost);
    expect(supervisor.outage).toBe(lost);
    clock.time += 1000;
    await tried.promise;
    expect(supervisor.outage).toBe(lost);
    await supervisor.close();
  });

  it('watches a browser that answers nothing from its start on', async () => {
    const clock = new ManualClock();
    const answer = Promise.withResolvers<object>();
    const send = jest.fn((_method: string) => answer.promise);
    const frozen = browserAt(clock, { send });
    const supervisor = new BrowserSupervisor({
      limits: WEB_LIMITS,
      clock,
      log: () => undefined,
      launcher: { launch: async () => frozen, close: async () => undefined },
    });
    expect(await supervisor.browser()).toBe(frozen);
    supervisor.suspect();
    expect(send).toHaveBeenCalledWith('Browser.getVersion');
    answer.resolve({});
    await supervisor.close();
    expect(frozen.gone.aborted).toBe(true);
  });

  describe('whose browser is old', () => {
    const clock = new ManualClock();
    const full = new RateLimitedError(1000, { message: 'The grid is full.' });

    /** Starts browsers, the second time with what a test puts in its place. */
    async function withSuccessor(second: () => Promise<LaunchedBrowser>) {
      const started: LaunchedBrowser[] = [];
      const first = async (): Promise<LaunchedBrowser> => browserAt(clock);
      const launches = [first, second];
      const tried = Promise.withResolvers<void>();
      const supervisor = new BrowserSupervisor({
        limits: { ...WEB_LIMITS, browserAgeMs: 60_000 },
        clock,
        log: () => undefined,
        launcher: {
          launch: async () => {
            const launch = launches.shift() ?? first;
            try {
              const launched = await launch();
              started.push(launched);
              return launched;
            } finally {
              if (launches.length === 0) {
                tried.resolve();
              }
            }
          },
          close: async () => undefined,
        },
      });
      const old = await supervisor.browser();
      const leave = old.use();
      clock.time += 61_000;
      supervisor.suspect();
      await tried.promise;
      // What follows from the outcome comes in later microtasks.
      await immediate();
      return { supervisor, old, leave, started };
    }

    it('serves on with it while its successor cannot be started', async () => {
      const { supervisor, old, leave, started } = await withSuccessor(async () => {
        throw new UnavailableError('launch_failed', 'It does not start in time.');
      });
      expect([await supervisor.browser(), old.isDraining, supervisor.outage]).toEqual([
        old,
        false,
        undefined,
      ]);
      clock.time += 10_000;
      supervisor.suspect();
      await eventually(PATIENCE_MS, () => expect(old.isDraining).toBe(true));
      expect([started.length, await supervisor.browser()]).toEqual([2, started[1]]);
      leave();
      await supervisor.close();
    });

    it('starts its successor before new work goes there', async () => {
      const { supervisor, old, leave, started } = await withSuccessor(async () => browserAt(clock));
      expect([await supervisor.browser(), old.isDraining]).toEqual([started[1], true]);
      expect(old.gone.aborted).toBe(false);
      leave();
      expect(old.gone.aborted).toBe(true);
      await supervisor.close();
    });

    it('makes room where only one finds room', async () => {
      const { supervisor, old, leave } = await withSuccessor(async () => {
        throw full;
      });
      expect(old.isDraining).toBe(true);
      leave();
      await supervisor.close();
    });
  });

  it('tells why this process gave up a connection', async () => {
    const clock = new ManualClock();
    const lines: string[] = [];
    const launch = async (): Promise<LaunchedBrowser> =>
      browserAt(clock, { failure: new Error('no handler takes it') });
    const supervisor = new BrowserSupervisor({
      limits: WEB_LIMITS,
      clock,
      log: (line, level = 'log') => lines.push(`${level}: ${line}`),
      launcher: { launch, close: async () => undefined },
    });
    await supervisor.browser();
    await immediate();
    await supervisor.close();
    expect(lines).toEqual([
      expect.stringMatching(/^log: Browser started: /),
      expect.stringMatching(/^warn: Browser lost: browser_crashed, Error: no handler takes it/),
      expect.stringMatching(/^warn: Browser start fails or does not last; next try in 0 ms/),
    ]);
  });
});
