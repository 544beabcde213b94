import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig, rigOf } from '../../../test/support/gateway/accounts-rig.js';
import { type ScriptedDriver } from '../../../test/support/upstream/scripted-driver.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';

const FAILURE = new UnavailableError('launch_failed', 'no browser');

describe('OpeningBudget, in a request for which no session can be opened', () => {
  let rig: AccountsRig;
  let driver: ScriptedDriver;

  beforeEach(async () => {
    jest.useFakeTimers();
    ({ rig, driver } = await rigOf(1));
  });
  afterEach(async () => {
    expect(rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0 });
    await rig.close();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  /** Each opening fails after its time in milliseconds; the last time also holds for all further openings. */
  function failAfter(...times: number[]): void {
    driver.onOpen = () => {
      const ms = times[Math.min(driver.opened.length, times.length) - 1];
      return new Promise((_resolve, reject) => setTimeout(() => reject(FAILURE), ms));
    };
  }

  it.each([
    { times: [100, 5000], attempts: 3 },
    { times: [5000], attempts: 1 },
  ])('ends the request within 5 s, if openings take $times ms to fail', async ({ times, attempts }) => {
    failAfter(...times);
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(4999);
    expect(call.outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.outcome).toMatchObject({ code: 'internal_error', cause: FAILURE });
    expect(call.report.attempts.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: attempts }, () => 'launch_failed'),
    );
    driver.onOpen = () => Promise.resolve();
    await jest.advanceTimersByTimeAsync(60_000);
  });

  it('lets the request be served if a session opens in time after all', async () => {
    failAfter(100);
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(1000);
    driver.onOpen = () => new Promise((resolve) => setTimeout(resolve, 3000));
    await jest.advanceTimersByTimeAsync(3900);
    expect(call.outcome).toBe('completed');
    expect(call.report.attempts.at(-1)?.outcome).toBe('ok');
  });
});
