import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { type Settings } from '../../../src/common/config/settings.js';
import { type ScriptedDriver } from '../upstream/scripted-driver.js';
import { type AccountsRig, type Call, rigOf } from './accounts-rig.js';

type StartRig = (
  accounts: number,
  overrides?: Partial<Settings>,
) => Promise<{ readonly rig: AccountsRig; readonly driver: ScriptedDriver }>;

/**
 * For the tests of one file, each of which must start a rig: fakes the timers, and afterwards finds no lease, session or
 * timer left behind.
 */
export function useDispatchRig(): StartRig {
  let started: Awaited<ReturnType<StartRig>>;
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(async () => {
    const { rig, driver } = started;
    const { leases, waiting } = rig.pool.stats();
    expect({ leases, waiting }).toEqual({ leases: 0, waiting: 0 });
    await rig.close();
    expect(driver.sessions.size).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
  return async (accounts, overrides = {}) => (started = await rigOf(accounts, overrides));
}

/** Lets everything happen that needs no time. */
export const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

/** The attempts of a call, as `account outcome`. */
export const outcomesOf = ({ report }: Pick<Call, 'report'>): string[] =>
  report.attempts.map(({ account, outcome }) => `${account} ${outcome}`);
