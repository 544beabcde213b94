import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { type Settings } from '../../../src/common/config/settings.js';
import { type ScriptedDriver } from '../upstream/scripted-driver.js';
import { type AccountsRig, type Call, rigOf } from './accounts-rig.js';

type StartRig = (
  accounts: number,
  overrides?: Partial<Settings>,
) => Promise<{ readonly rig: AccountsRig; readonly driver: ScriptedDriver }>;

/**
 * For the tests of one file, each of which must start a rig: fakes the timers, and afterwards closes the rig and finds no
 * timer left behind.
 */
export function useAccountsRig(): StartRig {
  let started: Awaited<ReturnType<StartRig>>;
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(async () => {
    await started.rig.close();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
  return async (accounts, overrides = {}) => (started = await rigOf(accounts, overrides));
}

/** The same for tests after which no request has, or waits for, a session. */
export function useDispatchRig(): StartRig {
  let started: Awaited<ReturnType<StartRig>>;
  afterEach(() => {
    const { leases, waiting } = started.rig.pool.stats();
    expect({ leases, waiting }).toEqual({ leases: 0, waiting: 0 });
  });
  const start = useAccountsRig();
  afterEach(() => expect(started.driver.sessions.size).toBe(0));
  return async (...given) => (started = await start(...given));
}

/** Lets everything happen that needs no time. */
export const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

/** Starts a rig each of whose accounts has its one session open. */
export async function startWithSessions(
  start: StartRig,
  accounts: number,
  overrides: Partial<Settings> = {},
): Promise<AccountsRig> {
  const { rig } = await start(accounts, {
    POOL_MIN_SESSIONS: accounts,
    POOL_MAX_SESSIONS_PER_ACCOUNT: 1,
    ...overrides,
  });
  rig.pool.onApplicationBootstrap();
  await settle();
  return rig;
}

/** The attempts of a call, as `account outcome`. */
export const outcomesOf = ({ report }: Pick<Call, 'report'>): string[] =>
  report.attempts.map(({ account, outcome }) => `${account} ${outcome}`);
