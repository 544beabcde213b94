import { beforeEach, expect, it, jest } from '@jest/globals';
import { type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { type Lease } from './lease.js';

const startRig = useAccountsRig();
let rig: AccountsRig;
let decisions: number;

const settle = () => jest.advanceTimersByTimeAsync(0);
const acquire = (): Promise<Lease> =>
  rig.pool.acquire({ model: 'm', tried: new Set() }, new AbortController().signal);

beforeEach(async () => {
  ({ rig } = await startRig(1, {
    POOL_MIN_SESSIONS: 2,
    POOL_MAX_SESSIONS: 2,
    POOL_MAX_SESSIONS_PER_ACCOUNT: 2,
  }));
  rig.pool.onApplicationBootstrap();
  await settle();
  decisions = 0;
  rig.pool.balanced$.subscribe(() => (decisions += 1));
});

it('decides once for all that is leased and released in a turn of the event loop', async () => {
  for (let round = 0; round < 3; round += 1) {
    const leases = [await acquire(), await acquire()];
    leases.forEach((lease) => lease.release());
  }
  expect(decisions).toBe(0);
  await settle();
  expect(decisions).toBe(1);
});

it('decides at once for a request that waits, as a session comes back', async () => {
  const [first, second] = [await acquire(), await acquire()];
  const waiting = acquire();
  await settle();
  first.release();
  expect(rig.pool.stats()).toMatchObject({ waiting: 0, leases: 2 });
  second.release();
  (await waiting).release();
});

it('decides at once while there are more sessions than may be, although others want the one that comes back', async () => {
  const [first, second] = [await acquire(), await acquire()];
  rig.settings.POOL_MAX_SESSIONS = 1;
  rig.pool.balance();
  first.release();
  expect(rig.pool.stats()).toMatchObject({ sessions: 1, idle: 0, leases: 1 });
  second.release();
  (await acquire()).release();
  await settle();
  expect(rig.pool.stats()).toMatchObject({ sessions: 1, idle: 1, leases: 0 });
});

it('decides nothing more once it has ended', async () => {
  const lease = await acquire();
  rig.pool.beforeApplicationShutdown();
  lease.release();
  await settle();
  expect(decisions).toBe(0);
});
