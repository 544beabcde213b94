import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../common/time/clock.js';
import { UnavailableError } from '../../upstream.errors.js';
import { WEB_LIMITS } from '../web-limits.js';
import { BrowserSupervisor } from './browser-supervisor.js';

class ManualClock extends Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }
}

describe('BrowserSupervisor', () => {
  it('backs off 1, 2, 4 … 60 s after failed starts, and rejects at once in between', async () => {
    const clock = new ManualClock();
    let starts = 0;
    const supervisor = new BrowserSupervisor({
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
    const pauses = [1, 2, 4, 8, 16, 32, 60, 60];
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
});
