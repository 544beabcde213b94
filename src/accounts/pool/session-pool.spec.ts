import { describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { type ScriptedDriver } from '../../../test/support/upstream/scripted-driver.js';
import { type Settings } from '../../common/config/settings.js';
import { LoginRequiredError, RateLimitedError, UnavailableError } from '../../upstream/upstream.errors.js';
import { NoUsableAccountError, SessionPoolExhaustedError } from '../accounts.errors.js';
import { type Lease } from './lease.js';

const NONE: ReadonlySet<string> = new Set();
const startRig = useAccountsRig();
let rig: AccountsRig;
let driver: ScriptedDriver;

async function start(accounts: number, overrides: Partial<Settings> = {}): Promise<void> {
  ({ rig, driver } = await startRig(accounts, overrides));
}

const settle = () => jest.advanceTimersByTimeAsync(0);
const acquire = (tried = NONE, signal = new AbortController().signal) =>
  rig.pool.acquire({ model: 'm', tried }, signal);
const nameOf = ({ account }: Lease) => account.name;

describe('SessionPool, at start', () => {
  it('logs every account in, two at a time', async () => {
    await start(5, { POOL_MIN_SESSIONS: 5 });
    let running = 0;
    let most = 0;
    driver.onOpen = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 100));
      running -= 1;
    };
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(300);
    expect(driver.opened).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(most).toBe(2);
    expect(rig.registry.list().every(({ lastLoginAt }) => lastLoginAt !== undefined)).toBe(true);
  });

  it('repeats the opening with exponential back-off while the browser does not start', async () => {
    await start(1);
    driver.onOpen = () => Promise.reject(new UnavailableError('launch_failed', 'x'));
    rig.pool.onApplicationBootstrap();
    const times: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      await jest.advanceTimersByTimeAsync(1000);
      times.push(driver.opened.length);
    }
    // At 0 s, then after 1, 2, 4, 8, 16, 32, 60 and 60 more seconds.
    expect(Object.values(rig.pool.stats().accounts)[0]?.openFailure).toBe('launch_failed');
    expect([times[0], times[2], times[6], times[14], times[30], times[62], times[122], times[182]]).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  it('does not touch accounts that are disabled or need the operator', async () => {
    await start(3, { POOL_MIN_SESSIONS: 0 });
    await rig.commands.disable(null, rig.account('a').id);
    rig.health.requireLogin(rig.account('b'), new LoginRequiredError('blocked', 'x'));
    rig.pool.onApplicationBootstrap();
    await settle();
    expect(driver.opened).toEqual(['c']);
  });
});

describe('SessionPool, growth', () => {
  it('spreads 20 requests over 3 accounts as 7, 7 and 6', async () => {
    await start(3, { POOL_MAX_SESSIONS_PER_ACCOUNT: 8 });
    driver.onOpen = () => new Promise((resolve) => setTimeout(resolve, 50));
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(100);
    const leases = Array.from({ length: 20 }, () => acquire());
    await jest.advanceTimersByTimeAsync(1000);
    const names = (await Promise.all(leases)).map(nameOf);
    const counts = ['a', 'b', 'c'].map((name) => names.filter((one) => one === name).length);
    expect(counts.sort()).toEqual([6, 7, 7]);
  });

  it('is just as even when there are fewer sessions than requests', async () => {
    await start(3);
    driver.onOpen = () => new Promise((resolve) => setTimeout(resolve, 50));
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(100);
    const names: string[] = [];
    for (let request = 0; request < 20; request += 1) {
      void acquire().then((lease) => {
        names.push(nameOf(lease));
        setTimeout(() => lease.release(), 1000);
      });
    }
    await jest.advanceTimersByTimeAsync(10_000);
    const counts = ['a', 'b', 'c'].map((name) => names.filter((one) => one === name).length);
    expect(counts.sort()).toEqual([6, 7, 7]);
  });

  it('stays within the cap of an account and of all', async () => {
    await start(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 2, POOL_MAX_SESSIONS: 3 });
    const leases = Array.from({ length: 6 }, () => acquire());
    leases.forEach((lease) => void lease.catch(() => undefined));
    await settle();
    expect(driver.openByAccount()).toEqual({ a: 2, b: 1 });
    expect(rig.pool.stats()).toMatchObject({ sessions: 3, leases: 3, waiting: 3 });
  });

  it('closes an idle session of a cooling account to make room for an account that can serve', async () => {
    await start(2, { POOL_MAX_SESSIONS: 1, POOL_MIN_SESSIONS: 1 });
    (await acquire()).release();
    expect(driver.openByAccount()).toEqual({ a: 1 });
    rig.health.coolDown(rig.account('a'), 60_000, 'limit');
    const lease = await acquire();
    expect(nameOf(lease)).toBe('b');
    expect(driver.openByAccount()).toEqual({ b: 1 });
  });

  it('serves the longest waiting request first, with a session given back or a new one', async () => {
    await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 2 });
    driver.onOpen = () => new Promise((resolve) => setTimeout(resolve, 100));
    const served: number[] = [];
    const leases = [0, 1, 2].map(async (at) => {
      const lease = await acquire();
      served.push(at);
      return lease;
    });
    await jest.advanceTimersByTimeAsync(100);
    expect(served).toEqual([0]);
    (await leases[0]!).release();
    await settle();
    expect(served).toEqual([0, 1]);
    await jest.advanceTimersByTimeAsync(100);
    expect(served).toEqual([0, 1, 2]);
    expect(driver.opened.length).toBe(2);
  });

  it('rotates over the accounts when requests come one by one', async () => {
    await start(3);
    rig.pool.onApplicationBootstrap();
    await settle();
    const names: string[] = [];
    for (let request = 0; request < 6; request += 1) {
      const lease = await acquire();
      names.push(nameOf(lease));
      lease.release();
    }
    expect(names).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('brings a session to the account whose turn it was, without letting the request wait', async () => {
    await start(2, { POOL_IDLE_MS: 1000 });
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1001);
    expect(rig.pool.stats().sessions).toBe(1);
    const names: string[] = [];
    for (let request = 0; request < 4; request += 1) {
      const lease = await acquire();
      names.push(nameOf(lease));
      lease.release();
      await settle();
    }
    expect([...names].sort()).toEqual(['a', 'a', 'b', 'b']);
  });
});

describe('SessionPool, idle sessions', () => {
  it('are closed down to the warm minimum, the longest idle first', async () => {
    await start(1, { POOL_MIN_SESSIONS: 1, POOL_IDLE_MS: 60_000, POOL_MAX_SESSIONS_PER_ACCOUNT: 3 });
    const leases = await Promise.all([acquire(), acquire(), acquire()]);
    leases.forEach((lease) => lease.release());

    await jest.advanceTimersByTimeAsync(59_999);
    expect(rig.pool.stats().sessions).toBe(3);
    await jest.advanceTimersByTimeAsync(1);
    expect(rig.pool.stats().sessions).toBe(1);
    expect((await acquire()).sessionId).toBe(leases[2].sessionId);
  });

  it('beyond a cap that was lowered are closed, those in use when they come back', async () => {
    await start(2, { POOL_MIN_SESSIONS: 4 });
    rig.pool.onApplicationBootstrap();
    await settle();
    const lease = await acquire();
    rig.settings.POOL_MAX_SESSIONS_PER_ACCOUNT = 1;
    rig.settings.POOL_MIN_SESSIONS = 0;
    rig.pool.balance();
    expect(rig.pool.stats()).toMatchObject({ sessions: 2, idle: 1, leases: 1 });
    rig.settings.POOL_MAX_SESSIONS = 1;
    rig.pool.balance();
    expect(rig.pool.stats()).toMatchObject({ sessions: 1, idle: 0, leases: 1 });
    rig.settings.POOL_MAX_SESSIONS = 32;
    const more = await acquire();
    rig.settings.POOL_MAX_SESSIONS = 1;
    rig.pool.balance();
    more.release();
    expect(rig.pool.stats()).toMatchObject({ sessions: 1, idle: 0, leases: 1 });
    lease.release();
    expect(rig.pool.stats()).toMatchObject({ sessions: 1, idle: 1, leases: 0 });
  });

  it('are opened at once when the warm minimum was raised', async () => {
    await start(1, { POOL_MIN_SESSIONS: 0 });
    rig.settings.POOL_MIN_SESSIONS = 3;
    rig.pool.balance();
    await settle();
    expect(rig.pool.stats().idle).toBe(3);
  });

  it('that broke are replaced', async () => {
    await start(1);
    const lease = await acquire();
    lease.release();
    [...driver.sessions].forEach((session) => (session.isUsable = false));
    expect((await acquire()).sessionId).toBe('s2');
    expect(driver.sessions.size).toBe(1);
  });
});

describe('SessionPool, a warm session', () => {
  it('that breaks before its first use is replaced within seven seconds', async () => {
    await start(1);
    rig.pool.onApplicationBootstrap();
    await settle();
    [...driver.sessions].forEach((session) => (session.isUsable = false));
    await jest.advanceTimersByTimeAsync(7000);
    expect([...driver.sessions].map(({ isUsable }) => isUsable)).toEqual([true]);
  });
});

describe('SessionPool, waiting', () => {
  it('ends when its time is over', async () => {
    await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_ACQUIRE_TIMEOUT_MS: 500 });
    await acquire();
    const late = acquire();
    const refused = expect(late).rejects.toBeInstanceOf(SessionPoolExhaustedError);
    await jest.advanceTimersByTimeAsync(499);
    expect(rig.pool.stats().waiting).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await refused;
    expect(rig.pool.stats().waiting).toBe(0);
  });

  it('ends by the present setting, also for requests in the queue already', async () => {
    await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_ACQUIRE_TIMEOUT_MS: 60_000 });
    await acquire();
    const refused = expect(acquire()).rejects.toBeInstanceOf(SessionPoolExhaustedError);
    await jest.advanceTimersByTimeAsync(1000);
    rig.settings.POOL_ACQUIRE_TIMEOUT_MS = 1500;
    rig.pool.balance();
    const second = expect(acquire()).rejects.toBeInstanceOf(SessionPoolExhaustedError);
    await jest.advanceTimersByTimeAsync(500);
    await refused;
    expect(rig.pool.stats().waiting).toBe(1);
    await jest.advanceTimersByTimeAsync(1000);
    await second;
  });

  it('is refused when the queue is full', async () => {
    await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_QUEUE_LIMIT: 1 });
    await acquire();
    acquire().catch(() => undefined);
    await expect(acquire()).rejects.toThrow('the session pool is exhausted: too many requests');
  });

  it('ends for all when the last account is disabled', async () => {
    await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1 });
    await acquire();
    const refused = expect(acquire()).rejects.toBeInstanceOf(NoUsableAccountError);
    await rig.commands.disable(null, rig.account('a').id);
    await refused;
  });

  it('prefers an account that was not tried, and takes a tried one if no other can serve', async () => {
    await start(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1 });
    const tried = new Set([rig.account('a').id]);
    expect(nameOf(await acquire(tried))).toBe('b');
    await rig.commands.disable(null, rig.account('b').id);
    expect(nameOf(await acquire(tried))).toBe('a');
  });

  it('does not let a request that avoids an account hold up the next one', async () => {
    await start(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1 });
    const a = await acquire();
    driver.onOpen = () => new Promise((resolve) => setTimeout(resolve, 100));
    const choosy = acquire(new Set([a.account.id]));
    const second = acquire();
    a.release();
    expect(nameOf(await second)).toBe('a');
    await jest.advanceTimersByTimeAsync(100);
    expect(nameOf(await choosy)).toBe('b');
  });
});

describe('SessionPool, an account that rests after a failed prompt', () => {
  const CAP_OF_ONE = { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_MIN_SESSIONS: 2 };

  it('is passed over while another can serve, then takes requests again', async () => {
    await start(2, CAP_OF_ONE);
    rig.pool.onApplicationBootstrap();
    await settle();
    rig.health.promptFailed(rig.account('a'));
    const lease = await acquire();
    const passedOver = { account: 'a', outcome: 'resting' };
    expect([nameOf(lease), lease.considered[0]]).toEqual(['b', passedOver]);
    expect(rig.pool.obstacles({ model: 'm', tried: new Set() })[0]).toEqual(passedOver);
    let next: string | undefined;
    void acquire().then((late) => (next = nameOf(late)));
    await jest.advanceTimersByTimeAsync(999);
    expect(next).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(next).toBe('a');
  });

  it('serves while the other one only hangs at its login', async () => {
    await start(2, CAP_OF_ONE);
    driver.onOpen = ({ name }) => (name === 'b' ? new Promise(() => undefined) : Promise.resolve());
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(10_000);
    rig.health.promptFailed(rig.account('a'));
    expect(nameOf(await acquire())).toBe('a');
  });

  it('serves if no other can, also one that was tried', async () => {
    await start(2, CAP_OF_ONE);
    rig.health.promptFailed(rig.account('a'));
    expect(nameOf(await acquire(new Set([rig.account('b').id])))).toBe('b');
    await rig.commands.disable(null, rig.account('b').id);
    expect(nameOf(await acquire())).toBe('a');
  });

  it('is at work again after an answer', async () => {
    await start(2, CAP_OF_ONE);
    rig.pool.onApplicationBootstrap();
    await settle();
    const [a, b] = [await acquire(), await acquire()];
    rig.health.promptFailed(a.account);
    a.answered();
    a.release();
    expect((await acquire()).account).toBe(a.account);
    b.release();
  });
});

describe('SessionPool, an account', () => {
  it('that is disabled keeps its running requests, and is forgotten after them', async () => {
    await start(1);
    const { id } = rig.account('a');
    const lease = await acquire();
    await rig.commands.disable(null, id);
    expect([driver.sessions.size, driver.forgotten]).toEqual([1, []]);
    lease.release();
    expect([driver.sessions.size, driver.forgotten]).toEqual([0, [id]]);
  });

  it('that is removed keeps its running requests, is forgotten after them, and leaves no trace', async () => {
    await start(0);
    const { id } = await rig.commands.add(null, 'mine', { key: 'k' });
    await settle();
    const lease = await acquire();
    await rig.commands.remove(null, id);
    expect(driver.forgotten).toEqual([]);
    await expect(acquire()).rejects.toBeInstanceOf(NoUsableAccountError);
    lease.release();
    expect(driver.forgotten).toEqual([id]);
    expect(rig.pool.stats().accounts).toEqual({});
  });

  it('with new credentials logs in again with them, after the old login was forgotten', async () => {
    await start(0);
    const account = await rig.commands.add(null, 'new', { password: 'old' });
    await settle();
    const seen: unknown[] = [];
    driver.onOpen = async (login) => {
      seen.push(login.credentials, await login.loadState(), [...driver.forgotten]);
    };
    rig.registry.toUpstream(account).saveState('cookies of old');
    await rig.commands.update(null, account.id, { password: 'new' });
    await settle();
    expect(seen).toEqual([{ password: 'new' }, undefined, [account.id]]);
    expect(rig.pool.stats()).toMatchObject({ sessions: 1, idle: 1 });
  });

  it('whose login began before its credentials changed does not keep that session', async () => {
    await start(0);
    const { promise, resolve } = Promise.withResolvers<void>();
    driver.onOpen = ({ credentials }) => (credentials.password === 'old' ? promise : Promise.resolve());
    const account = await rig.commands.add(null, 'new', { password: 'old' });
    await settle();
    await rig.commands.update(null, account.id, { password: 'new' });
    resolve();
    await settle();
    expect([...driver.sessions].map((session) => session.account.credentials.password)).toEqual(['new']);
  });

  it('that is limited while it logs in cools down', async () => {
    await start(1);
    driver.onOpen = () => Promise.reject(new RateLimitedError(7000, { message: 'slow down' }));
    await expect(acquire()).rejects.toMatchObject({ retryAfterMs: 7000 });
    expect(rig.account('a').cooldown.cause).toBe('slow down');
  });

  it('whose login hangs is given up after a minute; a session that opens later is closed', async () => {
    await start(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    driver.onOpen = () => promise;
    const refused = expect(acquire()).rejects.toThrow('No session was opened in time.');
    await jest.advanceTimersByTimeAsync(60_000);
    await refused;
    driver.onOpen = () => Promise.reject(new UnavailableError('launch_failed', 'x'));
    resolve();
    await settle();
    expect(driver.sessions.size).toBe(0);
  });
});

describe('SessionPool, at shutdown', () => {
  it('refuses waiting requests, aborts openings and closes all sessions', async () => {
    await start(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1 });
    const lease = await acquire();
    driver.onOpen = (_account, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    const refused = expect(acquire()).rejects.toMatchObject({ reason: 'shutting_down', retryAfterMs: 1000 });
    await settle();
    expect(rig.pool.stats().opening).toBe(1);
    rig.pool.beforeApplicationShutdown();
    await refused;
    await expect(acquire()).rejects.toMatchObject({ reason: 'shutting_down', retryAfterMs: 1000 });
    await rig.pool.onApplicationShutdown();
    lease.release();
    expect(rig.pool.stats()).toMatchObject({ sessions: 0, opening: 0, leases: 0 });
    expect(driver.sessions.size).toBe(0);
  });
});
