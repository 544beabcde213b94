import { describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { type ScriptedDriver } from '../../../test/support/upstream/scripted-driver.js';
import { type Settings } from '../../common/config/settings.js';
import { RateLimitedError, UnavailableError } from '../../upstream/upstream.errors.js';
import { type Lease } from './lease.js';

const OTHERS: Partial<Settings> = { POOL_MIN_SESSIONS: 0, POOL_MAX_SESSIONS_PER_ACCOUNT: 2 };
const startRig = useAccountsRig();
let rig: AccountsRig;
let driver: ScriptedDriver;

const settle = () => jest.advanceTimersByTimeAsync(0);
const acquire = (tried: ReadonlySet<string> = new Set()) =>
  rig.pool.acquire({ model: 'm', tried }, new AbortController().signal);

/** Openings of some accounts hang until they are aborted. */
function hang(...names: string[]): { readonly givenUp: () => number } {
  let givenUp = 0;
  driver.onOpen = (account, signal) =>
    names.includes(account.name)
      ? new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            givenUp += 1;
            reject(signal.reason as Error);
          });
        })
      : Promise.resolve();
  return { givenUp: () => givenUp };
}

describe('SessionPool, a rate-limited opening', () => {
  it('is repeated with exponential back-off, also if the upstream says to retry at once', async () => {
    ({ rig, driver } = await startRig(1, OTHERS));
    let openings = 0;
    driver.onOpen = async () => {
      openings += 1;
      // Enough to show that openings repeat without end, and few enough to end.
      if (openings < 100) {
        throw new RateLimitedError(0);
      }
    };
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(8000);
    expect(openings).toBe(4);
    await rig.commands.clearCooldown(null, rig.account('a').id);
    await settle();
    expect(openings).toBe(5);
  });
});

describe('SessionPool, after an outage of the whole upstream', () => {
  it('serves the next request at once, however long its accounts would back off', async () => {
    ({ rig, driver } = await startRig(2, OTHERS));
    const lost = new UnavailableError('launch_failed', 'No browser can be started.');
    const outage = jest.spyOn(driver, 'outage', 'get').mockReturnValue(lost);
    driver.onOpen = () => Promise.reject(lost);
    for (let tries = 0; tries < 6; tries++) {
      const refusal = acquire();
      await expect(refusal).rejects.toBe(lost);
      await jest.advanceTimersByTimeAsync(2 ** tries * 1000);
    }
    await expect(acquire()).rejects.toBe(lost);
    driver.onOpen = () => Promise.resolve();
    await expect(acquire()).rejects.toBe(lost);
    outage.mockReturnValue(undefined);
    expect((await acquire()).account.name).toBe('a');
  });
});

describe('SessionPool, an opening that hangs', () => {
  it('is told as what it is to requests that wait for nothing else', async () => {
    ({ rig, driver } = await startRig(1, { ...OTHERS, POOL_ACQUIRE_TIMEOUT_MS: 30_000 }));
    hang('a');
    const refusal = acquire().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await refusal).toMatchObject({ fault: 'open_timeout', reason: 'upstream_timeout' });
  });

  it('is no reason for requests that wait while others are answered', async () => {
    ({ rig, driver } = await startRig(1, { ...OTHERS, POOL_ACQUIRE_TIMEOUT_MS: 30_000 }));
    await acquire();
    hang('a');
    const refusal = acquire().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await refusal).toMatchObject({ reason: 'pool_exhausted' });
  });

  it('is aborted when its account is disabled, and delays no waiting request', async () => {
    ({ rig, driver } = await startRig(2, OTHERS));
    const taken: Lease = await acquire();
    const other = taken.account.name === 'a' ? 'b' : 'a';
    const opening = hang(other);
    const waiting = acquire();
    await settle();
    expect(rig.pool.stats()).toMatchObject({ waiting: 1, opening: 1 });
    await rig.commands.disable(null, rig.account(other).id);
    expect((await waiting).account).toBe(taken.account);
    expect(opening.givenUp()).toBe(1);
  });

  it('is aborted when its account must log in again, and the new login begins at once', async () => {
    ({ rig, driver } = await startRig(1, OTHERS));
    const opening = hang('a');
    const waiting = acquire();
    await settle();
    driver.onOpen = () => Promise.resolve();
    await rig.commands.login(null, rig.account('a').id);
    expect((await waiting).account.name).toBe('a');
    expect(opening.givenUp()).toBe(1);
    expect(rig.pool.stats().opening).toBe(0);
  });

  it('does not count as a session on its way while its account cools', async () => {
    ({ rig, driver } = await startRig(2, OTHERS));
    const taken = await acquire();
    const other = taken.account.name === 'a' ? 'b' : 'a';
    hang(other);
    const waiting = acquire();
    await settle();
    rig.health.coolDown(rig.account(other), 60_000, 'limit');
    expect((await waiting).account).toBe(taken.account);
  });

  it('lets the logins of others begin after ten seconds, eight at a time in all', async () => {
    ({ rig, driver } = await startRig(12, OTHERS));
    hang('a', 'b', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(9999);
    expect(driver.opened).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(1);
    expect(driver.opened).toEqual(['a', 'b', 'c', 'd', 'e']);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(driver.opened.join('')).toBe('abcdefghi');
  });

  it('has another session opened for a request after ten seconds', async () => {
    ({ rig, driver } = await startRig(2, OTHERS));
    hang('a');
    let lease: Lease | undefined;
    void acquire().then((given) => (lease = given));
    await jest.advanceTimersByTimeAsync(9999);
    expect(driver.opened).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(1);
    expect(lease?.account.name).toBe('b');
  });
});

describe('SessionPool, a queue without places', () => {
  it('lets requests wait for sessions that are opened for them, and no others', async () => {
    ({ rig, driver } = await startRig(1, { ...OTHERS, POOL_QUEUE_LIMIT: 0 }));
    driver.onOpen = () => new Promise((resolve) => setTimeout(resolve, 100));
    const outcomes = [1, 2].map(() => acquire().then(({ account }) => account.name, String));
    await jest.advanceTimersByTimeAsync(100);
    outcomes.push(...[1, 2].map(() => acquire().then(({ account }) => account.name, String)));
    await jest.advanceTimersByTimeAsync(100);
    const tooMany = expect.stringContaining('too many requests wait');
    expect(await Promise.all(outcomes)).toEqual(['a', tooMany, 'a', tooMany]);
  });

  it('closes an idle session of an account that cools for one that serves', async () => {
    ({ rig, driver } = await startRig(2, { POOL_QUEUE_LIMIT: 0, POOL_MAX_SESSIONS: 1 }));
    const lease = await acquire();
    await expect(acquire()).rejects.toThrow('too many requests wait');
    lease.release();
    rig.health.coolDown(lease.account, 60_000, 'limit');
    expect((await acquire()).account).not.toBe(lease.account);
  });
});

describe('SessionPool, a full queue', () => {
  it('lends a session of an account that rests rather than refusing a request', async () => {
    const limits = { POOL_QUEUE_LIMIT: 0, POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_MIN_SESSIONS: 2 };
    ({ rig, driver } = await startRig(2, limits));
    rig.pool.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(0);
    rig.health.promptFailed(rig.account('a'));
    const names = [await acquire(), await acquire()].map(({ account }) => account.name);
    expect(names).toEqual(['b', 'a']);
  });
});

describe('SessionPool, a request that has tried an account', () => {
  it('waits for another one only while that has a session or is about to', async () => {
    ({ rig, driver } = await startRig(2, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1, POOL_MIN_SESSIONS: 2 }));
    const tried = new Set([rig.account('a').id]);
    driver.onOpen = ({ name }) =>
      name === 'b' ? new Promise((resolve) => setTimeout(resolve, 12_000)) : Promise.resolve();
    rig.pool.onApplicationBootstrap();
    await settle();
    const given: string[] = [];
    const take = (lease: Lease) => {
      given.push(lease.account.name);
      lease.release();
    };
    void acquire(tried).then(take);
    await jest.advanceTimersByTimeAsync(9999);
    expect(given).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(given).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(2000);
    expect((await acquire(tried)).account.name).toBe('b');
    void acquire(tried).then(take);
    await settle();
    expect(given).toEqual(['a', 'a']);
  });
});

describe('SessionPool, accounts whose last opening failed', () => {
  it('do not keep others from logging in', async () => {
    ({ rig, driver } = await startRig(3, OTHERS));
    driver.onOpen = ({ name }) =>
      name <= 'b' ? Promise.reject(new UnavailableError('page_timeout', 'x')) : Promise.resolve();
    await rig.commands.disable(null, rig.account('c').id);
    rig.pool.onApplicationBootstrap();
    await settle();
    hang('a', 'b');
    await jest.advanceTimersByTimeAsync(1000);
    expect(rig.pool.stats().opening).toBe(2);
    await rig.commands.enable(null, rig.account('c').id);
    await settle();
    expect(driver.openByAccount()).toEqual({ c: 1 });
  });
});

describe('SessionPool, more accounts than sessions', () => {
  it('gives each account its turn in place of an idle session, one every five seconds', async () => {
    ({ rig, driver } = await startRig(6, { POOL_MIN_SESSIONS: 3, POOL_MAX_SESSIONS: 3 }));
    rig.pool.onApplicationBootstrap();
    await settle();
    const before = driver.opened.length;
    const names = new Set<string>();
    for (let second = 0; second < 20; second += 1) {
      const lease = await acquire();
      names.add(lease.account.name);
      lease.release();
      await jest.advanceTimersByTimeAsync(1000);
      expect(rig.pool.stats().sessions).toBe(3);
    }
    expect([...names].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(driver.opened.length - before).toBe(4);
  });

  it('does not close the last idle session for that', async () => {
    ({ rig, driver } = await startRig(3, { POOL_MIN_SESSIONS: 2, POOL_MAX_SESSIONS: 2 }));
    rig.pool.onApplicationBootstrap();
    await settle();
    const [one, other] = [await acquire(), await acquire()];
    one.release();
    await settle();
    expect((await acquire()).sessionId).toBe(one.sessionId);
    other.release();
    await settle();
    expect((await acquire()).sessionId).toBe(other.sessionId);
  });
});
