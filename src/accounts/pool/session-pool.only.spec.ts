import { describe, expect, it } from '@jest/globals';
import { type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { settle, startWithSessions, useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { type Settings } from '../../common/config/settings.js';
import { type Lease } from './lease.js';

const startRig = useAccountsRig();
let rig: AccountsRig;

const acquire = (only?: string) =>
  rig.pool.acquire(
    { model: 'm', tried: new Set(), only: only === undefined ? undefined : rig.account(only).id },
    new AbortController().signal,
  );
const nameOf = ({ account }: Lease) => account.name;

async function start(accounts: number, overrides: Partial<Settings> = {}): Promise<void> {
  rig = await startWithSessions(startRig, accounts, overrides);
}

describe('SessionPool, a request for one account alone', () => {
  it('takes its session, whoever has another one or is rested', async () => {
    await start(3);
    rig.health.promptFailed(rig.account('c'));
    rig.health.modelRefused(rig.account('c'), 'm');
    const lease = await acquire('c');
    expect([nameOf(lease), lease.considered]).toEqual(['c', [{ account: 'c', outcome: 'chosen' }]]);
  });

  it('waits for it, and keeps nobody else from the others', async () => {
    await start(2);
    const held = await acquire('a');
    const served: string[] = [];
    void acquire('a').then((lease) => served.push(`only ${nameOf(lease)}`));
    void acquire().then((lease) => served.push(nameOf(lease)));
    await settle();
    expect(served).toEqual(['b']);
    held.release();
    await settle();
    expect(served).toEqual(['b', 'only a']);
  });

  it('takes nothing that is free for others, while they wait as well', async () => {
    await start(2);
    const [first, second] = [await acquire('a'), await acquire('b')];
    const served: string[] = [];
    void acquire('a').then((lease) => served.push(`only ${nameOf(lease)}`));
    void acquire().then((lease) => served.push(nameOf(lease)));
    second.release();
    await settle();
    expect(served).toEqual(['b']);
    first.release();
    await settle();
    expect(served).toEqual(['b', 'only a']);
  });

  it('has a session of it opened, though there is room for one only', async () => {
    await start(3, { POOL_MAX_SESSIONS: 1, POOL_MIN_SESSIONS: 1 });
    for (const name of ['c', 'a', 'b']) {
      const lease = await acquire(name);
      expect(nameOf(lease)).toBe(name);
      lease.release();
    }
  });

  it('is refused for its own obstacles, told of it alone', async () => {
    await start(2);
    rig.health.coolDown(rig.account('a'), 60_000, 'limit');
    await expect(acquire('a')).rejects.toThrow(/: 1 of 1 accounts is limited /);
    expect(nameOf(await acquire())).toBe('b');
  });

  it('is refused while it waits once its account goes out', async () => {
    await start(2);
    await acquire('a');
    const waiting = expect(acquire('a')).rejects.toThrow(
      'no account can be used: 1 of 1 accounts is disabled',
    );
    rig.account('a').isEnabled = false;
    rig.registry.announce(rig.account('a'), 'closed');
    await waiting;
  });
});
