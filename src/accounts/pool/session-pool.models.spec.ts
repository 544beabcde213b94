import { describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { settle, startWithSessions, useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { type Settings } from '../../common/config/settings.js';
import { TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { type Lease } from './lease.js';

const startRig = useAccountsRig();
let rig: AccountsRig;

const acquire = (model: string, ...tried: string[]) =>
  rig.pool.acquire(
    { model, tried: new Set(tried.map((name) => rig.account(name).id)) },
    new AbortController().signal,
  );
const nameOf = ({ account }: Lease) => account.name;
const limit = (name: string, model: string | undefined, ms = 60_000) =>
  rig.health.coolDown(rig.account(name), ms, 'limit', model);

async function start(accounts: number, overrides: Partial<Settings> = {}): Promise<void> {
  rig = await startWithSessions(startRig, accounts, overrides);
}

describe('SessionPool, an account of which one model is limited', () => {
  it('serves the other models, if no account without a limit has a session', async () => {
    await start(3);
    limit('a', 'm');
    limit('b', 'm');
    const leases = [await acquire('n'), await acquire('n'), await acquire('n')];
    expect(leases.map(nameOf)).toEqual(['c', 'a', 'b']);
    expect(leases[0]?.considered.map(({ outcome }) => outcome)).toEqual([
      'other_model_limited',
      'other_model_limited',
      'chosen',
    ]);
  });

  it('is preferred to one that the request has tried', async () => {
    await start(2);
    limit('b', 'm');
    expect(nameOf(await acquire('n', 'a'))).toBe('b');
  });

  it('refuses its own model with the time to the end, and tells of no limit otherwise', async () => {
    await start(2);
    limit('a', 'm');
    limit('b', 'm', 30_000);
    await expect(acquire('m')).rejects.toThrow(
      /^The upstream limits the rate of requests: 2 of 2 accounts are limited, .* try again in 30s\.$/,
    );
    expect(rig.pool.rateLimit({ model: 'n', tried: new Set() }, undefined).message).toBe(
      'The upstream limits the rate of requests. Please try again in 1s.',
    );
    expect(rig.pool.obstacles({ model: 'm', tried: new Set() }).map(({ outcome }) => outcome)).toEqual([
      'cooldown',
      'cooldown',
    ]);
  });

  it('does not let requests that wait for its end hold up those for other models', async () => {
    await start(1);
    limit('a', 'm', 2000);
    const served: string[] = [];
    const serve = (model: string) =>
      acquire(model).then((lease) => {
        served.push(model);
        lease.release();
      });
    const waiting = [serve('m'), serve('m'), serve('n'), serve('n')];
    await settle();
    expect([served, rig.pool.stats().waiting]).toEqual([['n', 'n'], 2]);
    await jest.advanceTimersByTimeAsync(1999);
    expect(served).toEqual(['n', 'n']);
    await jest.advanceTimersByTimeAsync(251);
    await Promise.all(waiting);
    expect(served).toEqual(['n', 'n', 'm', 'm']);
  });

  it('has sessions opened for the requests that it can serve, not for those that wait', async () => {
    await start(1, { POOL_MIN_SESSIONS: 0, POOL_MAX_SESSIONS_PER_ACCOUNT: 3 });
    limit('a', 'm', 2000);
    const early = [acquire('m'), acquire('m')];
    const lease = await acquire('n');
    const second = await acquire('n');
    expect([nameOf(lease), nameOf(second)]).toEqual(['a', 'a']);
    expect(rig.pool.stats()).toMatchObject({ sessions: 2, opening: 0, waiting: 2 });
    lease.release();
    second.release();
    await jest.advanceTimersByTimeAsync(2000);
    (await early[0])!.answered();
    await jest.advanceTimersByTimeAsync(250);
    await early[1];
  });

  it('serves other models while a full queue waits for it', async () => {
    await start(1, { POOL_QUEUE_LIMIT: 1 });
    limit('a', 'm', 2000);
    const waiting = acquire('m');
    expect(nameOf(await acquire('n'))).toBe('a');
    limit('a', 'm');
    await expect(waiting).rejects.toBeInstanceOf(TooManyRequestsError);
  });

  it('lets others wait while a full queue waits for it, up to the same number', async () => {
    await start(1, { POOL_QUEUE_LIMIT: 1 });
    limit('a', 'm', 2000);
    const lease = await acquire('n');
    const [m, n] = [acquire('m'), acquire('n')];
    await expect(acquire('m')).rejects.toThrow('too many requests wait');
    await expect(acquire('n')).rejects.toThrow('too many requests wait');
    lease.release();
    (await n).release();
    await jest.advanceTimersByTimeAsync(2000);
    (await m).release();
  });

  it('refuses requests in the queue model by model', async () => {
    await start(1);
    const lease = await acquire('n');
    const [m, n] = [acquire('m'), acquire('n')];
    const refused = expect(m).rejects.toBeInstanceOf(TooManyRequestsError);
    limit('a', 'm');
    await refused;
    lease.release();
    const next = await n;
    const last = acquire('n');
    const lastRefused = expect(last).rejects.toBeInstanceOf(TooManyRequestsError);
    limit('a', 'n');
    await lastRefused;
    next.release();
  });

  it('is tried by one request for that model after the cooldown, beside any others', async () => {
    await start(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 4 });
    limit('a', 'm', 1000);
    const before = await acquire('n');
    await jest.advanceTimersByTimeAsync(1000);
    const probe = await acquire('m');
    let next: Lease | undefined;
    void acquire('m').then((lease) => (next = lease));
    expect(nameOf(await acquire('n'))).toBe('a');
    before.answered();
    await jest.advanceTimersByTimeAsync(1000);
    expect(next).toBeUndefined();
    probe.answered();
    await jest.advanceTimersByTimeAsync(250);
    expect(next && nameOf(next)).toBe('a');
  });
});
