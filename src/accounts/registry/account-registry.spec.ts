import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AccountsRestarts, type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type AccountSeed } from '../../upstream/upstream-driver.js';
import { AccountNotFoundError } from '../accounts.errors.js';
import { type Account } from './account.js';
import { providerOf } from './account-loader.js';

const SEED_A: AccountSeed = { name: 'a', credentials: { user: 'ann', password: 'pass-of-ann' } };
const SEED_B: AccountSeed = { name: 'b', credentials: { user: 'bob', password: 'pass-of-bob' } };

let gateway: AccountsRestarts;

beforeEach(() => {
  gateway = new AccountsRestarts();
});

afterEach(() => gateway.end());

const namesOf = ({ registry }: AccountsRig) => registry.list().map(({ name }) => name);

describe('AccountRegistry, of accounts of the configuration', () => {
  it('keeps identity, state and counters over restarts', async () => {
    const { clock } = gateway;
    const first = await gateway.start([SEED_A, SEED_B]);
    const account = first.account('a');
    first.health.countRequest(account);
    first.health.promptFailed(account);
    first.health.coolDown(account, 60_000, 'too fast', 'big');
    await first.commands.disable(null, first.account('b').id);
    clock.pass(20_000);
    const second = await gateway.start([SEED_A, SEED_B]);
    const again = second.account('a');
    expect(again.id).toBe(account.id);
    expect([again.requests, again.failures, again.rateLimits]).toEqual([1, 1, 1]);
    expect([account.ownCounts.requests, again.ownCounts.requests]).toEqual([1, 0]);
    expect(again.cooldown.remainingMs(clock.monotonic())).toBe(40_000);
    expect([again.cooldown.cause, again.cooldown.model]).toEqual(['too fast', 'big']);
    expect(second.account('b').stateAt(0)).toBe('disabled');
  });

  it('leaves out an account that was taken out of it, and restores it once it is back', async () => {
    const first = await gateway.start([SEED_A, SEED_B]);
    const { id } = first.account('b');
    const second = await gateway.start([SEED_A]);
    expect(namesOf(second)).toEqual(['a']);
    expect(() => second.registry.get(id)).toThrow(AccountNotFoundError);
    expect((await gateway.start([SEED_A, SEED_B])).account('b').id).toBe(id);
  });

  it('takes an account that comes back as the one that leases still hold', async () => {
    const rig = await gateway.start([SEED_A, SEED_B]);
    const held = rig.account('b');
    for (const isPresent of [false, true]) {
      await rig.store.savePresence(held.id, isPresent);
      await rig.registry.refresh();
    }
    expect([rig.registry.get(held.id) === held, held.isUsable]).toEqual([true, true]);
  });

  it('takes up that the limit of one model has become one of the account', async () => {
    const { clock } = gateway;
    const { registry, health, store } = await gateway.start([SEED_A]);
    const [limited] = registry.list();
    health.coolDown(limited!, 60_000, 'of big', 'big');
    await eventually(PATIENCE_MS, () => expect(registry.isUnstored(limited!)).toBe(false));
    const cooldown = { startedAt: clock.now(), until: clock.now() + 30_000, cause: 'of all' };
    await store.write([{ id: limited!.id, term: 0, login: 0, kind: 'cooldown', cooldown }]);
    await registry.refresh();
    expect(limited!.cooldown.remainingMs(clock.monotonic(), 'small')).toBe(30_000);
  });

  it('keeps the limit of a model that outlasts the one of another model elsewhere', async () => {
    const { clock } = gateway;
    const { registry, health, store } = await gateway.start([SEED_A]);
    const [limited] = registry.list();
    const { id, cooldown } = limited!;
    const modelAfter = async (model: string, durationMs: number) => {
      const written = { startedAt: clock.now(), until: clock.now() + durationMs, cause: 'elsewhere', model };
      await store.write([{ id, term: 0, login: 0, kind: 'cooldown', cooldown: written }]);
      await registry.refresh();
      return [cooldown.model, cooldown.remainingMs(clock.monotonic())];
    };
    health.coolDown(limited!, 3_600_000, 'of big', 'big');
    await eventually(PATIENCE_MS, () => expect(registry.isUnstored(limited!)).toBe(false));
    expect(await modelAfter('small', 20_000)).toEqual(['big', 3_600_000]);
    expect(await modelAfter('small', 7_200_000)).toEqual(['small', 7_200_000]);
    await store.clearCooldown(id);
    await registry.refresh();
    expect(cooldown.isCooling(clock.monotonic())).toBe(false);
    health.coolDown(limited!, 60_000, 'of all');
    await eventually(PATIENCE_MS, () => expect(registry.isUnstored(limited!)).toBe(false));
    expect(await modelAfter('small', 20_000)).toEqual([undefined, 60_000]);
    clock.pass(60_000);
    expect(await modelAfter('small', 20_000)).toEqual(['small', 20_000]);
  });

  it('ends a cooldown with the login of its credentials, though new ones have met a shorter limit', async () => {
    const { clock } = gateway;
    const { registry, health, store, settings } = await gateway.start([SEED_A]);
    const [limited] = registry.list();
    health.coolDown(limited!, 3_600_000, 'of big', 'big');
    await eventually(PATIENCE_MS, () => expect(registry.isUnstored(limited!)).toBe(false));
    const [row] = await store.list(providerOf(settings));
    const cooldown = { startedAt: clock.now(), until: clock.now() + 20_000, cause: 'new', model: 'small' };
    const list = jest.spyOn(store, 'list').mockResolvedValue([{ ...row!, login: 7, cooldown }]);
    await registry.refresh();
    expect(limited!.cooldown.model).toBe('small');
    list.mockRestore();
  });

  it('ignores what an earlier look at the store brings late', async () => {
    const { store, registry } = await gateway.start([SEED_A, SEED_B]);
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const read = store.list.bind(store);
    const list = jest.spyOn(store, 'list').mockImplementationOnce(async (provider) => {
      const rows = await read(provider);
      await isLate;
      return rows;
    });
    const earlier = registry.refresh();
    const [account] = registry.list().filter(({ name }) => name === 'b');
    await store.savePresence(account!.id, false);
    await registry.refresh();
    resolve();
    await earlier;
    expect(registry.list().map(({ name }) => name)).toEqual(['a']);
    list.mockRestore();
  });

  it('ends a look at the store that another one overtakes with that one', async () => {
    const { store, registry } = await gateway.start([SEED_A]);
    const [account] = registry.list();
    const read = store.list.bind(store);
    const { promise: isOpen, resolve } = Promise.withResolvers<void>();
    const list = jest.spyOn(store, 'list');
    list.mockImplementationOnce(read).mockImplementationOnce(async (provider) => {
      await isOpen;
      return read(provider);
    });
    const seen = registry.refresh().then(() => account!.isEnabled);
    const later = registry.refresh();
    await store.saveEnabled(account!.id, false);
    resolve();
    expect(await seen).toBe(false);
    await later;
    list.mockRestore();
  });

  it('takes up what was changed elsewhere while it kept a login', async () => {
    const { store, registry } = await gateway.start([SEED_A]);
    const [account] = registry.list();
    await store.saveEnabled(account!.id, false);
    const looking = registry.refresh();
    registry.toUpstream(account!).saveState('cookies');
    await looking;
    expect(account!.isEnabled).toBe(false);
  });

  it('says that another gateway runs without accounts of its own configuration', async () => {
    const first = await gateway.start([SEED_A, SEED_B]);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    await first.store.savePresence(first.account('b').id, false);
    await first.registry.refresh();
    await first.registry.refresh();
    expect([namesOf(first), warn.mock.calls]).toEqual([
      ['a'],
      [
        [
          { event: 'other_configuration', accounts: ['b'] },
          'another gateway was started with a configuration that lacks accounts of this one: they are not used any more',
        ],
      ],
    ]);
    warn.mockRestore();
  });

  it('says that it leaves out an account whose name one of the dashboard has', async () => {
    const first = await gateway.start([SEED_A]);
    await first.commands.add(null, 'b', { user: 'old', password: 'old' });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const second = await gateway.start([SEED_A, SEED_B]);
    expect(second.account('b').credentials).toEqual({ user: 'old', password: 'old' });
    expect(warn.mock.calls).toEqual([
      [
        { event: 'name_taken', accounts: ['b'] },
        'accounts of the configuration are not used: accounts of these names were added at the dashboard',
      ],
    ]);
    warn.mockRestore();
  });

  it('takes changed credentials, and deletes login state and failure of the old ones', async () => {
    const first = await gateway.start([SEED_A]);
    const { id } = first.account('a');
    first.registry.toUpstream(first.account('a')).saveState('cookies');
    first.health.requireLogin(first.account('a'), new LoginRequiredError('invalid_credentials', 'no'));
    const changed = { name: 'a', credentials: { user: 'ann', password: 'new' } };
    const second = await gateway.start([changed]);
    const account = second.account('a');
    expect(account.id).toBe(id);
    expect(account.credentials).toEqual(changed.credentials);
    expect(account.loginFailure).toBeUndefined();
    expect(await second.registry.toUpstream(account).loadState()).toBeUndefined();
    expect((await gateway.start([changed])).account('a').credentials).toEqual(changed.credentials);
  });

  it('keeps the login state of credentials that are named in another order', async () => {
    const first = await gateway.start([SEED_A]);
    first.registry.toUpstream(first.account('a')).saveState('cookies');
    const credentials = Object.fromEntries(Object.entries(SEED_A.credentials).toReversed());
    const second = await gateway.start([{ name: 'a', credentials }]);
    expect(await second.registry.toUpstream(second.account('a')).loadState()).toBe('cookies');
  });
});

describe('AccountRegistry, of accounts of the operator', () => {
  it('keeps additions, updates and removals over restarts', async () => {
    const first = await gateway.start([]);
    const { id } = await first.commands.add(null, 'mine', { key: 'k1' });
    await first.commands.update(null, id, { key: 'k2' });
    const second = await gateway.start([]);
    expect(second.registry.get(id).credentials).toEqual({ key: 'k2' });
    expect(second.registry.get(id).source).toBe('operator');
    await second.commands.remove(null, id);
    expect(namesOf(await gateway.start([]))).toEqual([]);
  });

  it('accepts the name of an account that was taken out of the configuration', async () => {
    const first = await gateway.start([SEED_A]);
    const { id } = first.account('a');
    const second = await gateway.start([]);
    const added = await second.commands.add(null, 'a', { key: 'k' });
    expect(added.id).not.toBe(id);
    expect((await gateway.start([])).account('a').credentials).toEqual({ key: 'k' });
  });

  it('has one object for an account that a look at the store finds before it is added', async () => {
    const { store, registry, commands } = await gateway.start([]);
    const announced = new Set<Account>();
    registry.changes$.subscribe(({ account }) => announced.add(account));
    const insert = store.insert.bind(store);
    const inserting = jest.spyOn(store, 'insert').mockImplementation(async (...row) => {
      const isNew = await insert(...row);
      await registry.refresh();
      return isNew;
    });
    const added = await commands.add(null, 'mine', { key: 'k1' });
    expect(registry.get(added.id)).toBe(added);
    expect([...announced]).toEqual([added]);
    inserting.mockRestore();
  });

  it('leaves out one that was removed while the store was looked at', async () => {
    const rig = await gateway.start([]);
    const { store, registry, commands } = rig;
    const { id } = await commands.add(null, 'mine', { key: 'k1' });
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const read = store.list.bind(store);
    const list = jest.spyOn(store, 'list').mockImplementationOnce(async (provider) => {
      const rows = await read(provider);
      await isLate;
      return rows;
    });
    const looking = registry.refresh();
    await commands.remove(null, id);
    resolve();
    await looking;
    expect(namesOf(rig)).toEqual([]);
    list.mockRestore();
  });

  it('lists them only for the provider that they were added for', async () => {
    const one = { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://one.test/v1' } as const;
    const two = { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://two.test/v1' } as const;
    const first = await gateway.start([], one);
    await first.commands.add(null, 'mine', { key: 'k1' });
    expect(namesOf(await gateway.start([], two))).toEqual([]);
    expect(namesOf(await gateway.start([], one))).toEqual(['mine']);
  });
});

describe('AccountRegistry.toUpstream', () => {
  it('discards state saved by an earlier login, which would bring that login back', async () => {
    const { commands, registry, account } = await startWithOne();
    const before = registry.toUpstream(account);
    before.saveState('first');
    await commands.login(null, account.id);
    before.saveState('late');
    const after = registry.toUpstream(account);
    expect(await after.loadState()).toBeUndefined();
    expect(after.login).toBeGreaterThan(before.login);
    after.saveState('second');
    expect(await after.loadState()).toBe('second');
  });
});

describe('AccountRegistry, after an account was removed or the gateway stopped', () => {
  it('writes nothing for the account any more', async () => {
    const { commands, registry, health } = await gateway.start([]);
    const account = await commands.add(null, 'mine', { key: 'k' });
    const upstream = registry.toUpstream(account);
    await commands.remove(null, account.id);
    expect(registry.has(account)).toBe(false);
    upstream.saveState('late');
    health.countRequest(account);
    expect(await upstream.loadState()).toBeUndefined();
  });

  it('sends counts again as they were where a write failed, and what was counted since behind them', async () => {
    const { health, store, account } = await startWithOne();
    const write = jest.spyOn(store, 'write').mockRejectedValueOnce(new Error('away'));
    health.countRequest(account);
    await eventually(PATIENCE_MS, () => expect(write).toHaveBeenCalledTimes(1));
    health.countRequest(account);
    await eventually(PATIENCE_MS, () => expect(write).toHaveBeenCalledTimes(3));
    const sent = write.mock.calls.map(([, batch]) => [
      batch?.number,
      batch?.counts.map(({ added }) => added.requests),
    ]);
    expect(sent).toEqual([
      [1, [1]],
      [1, [1]],
      [2, [1]],
    ]);
    write.mockRestore();
    expect((await gateway.start([SEED_A])).account('a').requests).toBe(2);
  });

  it('writes what was counted since a failed write when it is closed', async () => {
    const { registry, health, store, account } = await startWithOne();
    const write = jest.spyOn(store, 'write').mockRejectedValueOnce(new Error('away'));
    health.countRequest(account);
    await eventually(PATIENCE_MS, () => expect(write).toHaveBeenCalledTimes(1));
    health.countRequest(account);
    await registry.onApplicationShutdown();
    write.mockRestore();
    expect((await gateway.start([SEED_A])).account('a').requests).toBe(2);
  });

  it('ignores late counters once it is closed', async () => {
    const { registry, health, account } = await startWithOne();
    await registry.onApplicationShutdown();
    health.countRequest(account);
    expect((await gateway.start([SEED_A])).account('a').requests).toBe(0);
  });
});

describe('AccountRegistry, secrets', () => {
  it('are in no file of the store in plain text', async () => {
    const { registry, health, account } = await startWithOne();
    registry.toUpstream(account).saveState('cookie-of-ann');
    health.requireLogin(
      account,
      new LoginRequiredError('blocked', 'x', {
        evidence: {
          url: '',
          title: '',
          screenshot: Buffer.from('pixels-of-ann'),
        },
      }),
    );
    expectNoSecretInFiles();
    await gateway.stop();
    expectNoSecretInFiles();
  });

  function expectNoSecretInFiles(): void {
    const files = readdirSync(gateway.folder);
    expect(files.length).toBeGreaterThan(1);
    for (const name of files) {
      const content = readFileSync(join(gateway.folder, name), 'latin1');
      expect(content).not.toMatch(/pass-of-ann|cookie-of-ann|pixels-of-ann/);
    }
  }
});

async function startWithOne() {
  const rig = await gateway.start([SEED_A]);
  const { commands, registry, health, store } = rig;
  return { commands, registry, health, store, account: rig.account('a') };
}
