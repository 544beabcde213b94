import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsRestarts, type AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { SqliteAuditLog } from '../../common/audit/sqlite-audit-log.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type AccountSeed } from '../../upstream/upstream-driver.js';
import { AccountNotFoundError, UnusableCredentialsError } from '../accounts.errors.js';

const SEED: AccountSeed = { name: 'a', credentials: { user: 'ann', password: 'pass-of-ann' } };

let gateway: AccountsRestarts;

beforeEach(() => {
  gateway = new AccountsRestarts();
});

afterEach(() => gateway.end());

/** Kinds of the changes that are announced from now on. */
function changesOf({ registry }: AccountsRig): string[] {
  const kinds: string[] = [];
  registry.changes$.subscribe(({ kind }) => kinds.push(kind));
  return kinds;
}

describe('AccountCommands', () => {
  it('announces each change to the holders of sessions', async () => {
    const rig = await gateway.start([]);
    const { commands } = rig;
    const changes = changesOf(rig);
    const { id } = await commands.add(null, 'mine', { key: 'k1' });
    expect(changes.splice(0)).toEqual(['opened']);
    await commands.update(null, id, { key: 'k2' });
    expect(changes.splice(0)).toEqual(['closed', 'opened']);
    await commands.login(null, id);
    expect(changes.splice(0)).toEqual(['closed', 'opened']);
    await commands.clearCooldown(null, id);
    expect(changes.splice(0)).toEqual(['cleared']);
    await commands.disable(null, id);
    await commands.disable(null, id);
    expect(changes.splice(0)).toEqual(['closed']);
    await commands.login(null, id);
    expect(changes.splice(0)).toEqual(['closed']);
    await commands.enable(null, id);
    expect(changes.splice(0)).toEqual(['opened']);
    await commands.remove(null, id);
    expect(changes.splice(0)).toEqual(['closed']);
  });

  it('keeps in the audit list who did what to the state of an account, and nothing that was refused', async () => {
    const rig = await gateway.start([SEED]);
    const { commands, registry } = rig;
    const { id } = await commands.add('olga', 'mine', { key: 'k1' });
    await commands.disable('olga', id);
    await commands.enable(null, id);
    rig.health.requireLogin(registry.get(id), new LoginRequiredError('login_wall', 'Logged out.'));
    await commands.loginAll('olga');
    await commands.update('olga', id, { key: 'k2' });
    rig.health.coolDown(registry.get(id), 60_000, 'limit');
    await commands.clearCooldown('olga', id);
    await commands.remove('olga', id);
    await expect(commands.remove('olga', rig.account('a').id)).rejects.toThrow(InvalidRequestError);
    const kept = (await new SqliteAuditLog(rig.database, rig.clock).list(50)).reverse();
    expect(
      kept.map((entry) => [entry.actor, entry.action, entry.subject, entry.before, entry.after]),
    ).toEqual([
      ['olga', 'account.add', 'mine', null, { state: 'ready' }],
      ['olga', 'account.disable', 'mine', { state: 'ready' }, { state: 'disabled' }],
      [null, 'account.enable', 'mine', { state: 'disabled' }, { state: 'ready' }],
      ['olga', 'account.login', 'mine', { state: 'login_required' }, { state: 'ready' }],
      ['olga', 'account.update', 'mine', { state: 'ready' }, { state: 'ready' }],
      ['olga', 'account.clear_cooldown', 'mine', { state: 'cooldown' }, { state: 'ready' }],
      ['olga', 'account.remove', 'mine', null, null],
    ]);
  });

  it('refuses a name that is taken', async () => {
    const { commands } = await gateway.start([SEED]);
    await expect(commands.add(null, 'a', {})).rejects.toThrow(/named 'a' already/);
  });

  it('refuses credentials that the upstream has no use for', async () => {
    const { commands, registry, driver } = await gateway.start([{ name: 'a', credentials: { key: 'k0' } }]);
    Object.assign(driver, { fields: [{ name: 'key', isRequired: true }] });
    const { id } = await commands.add(null, 'mine', { key: 'k1' });
    await expect(commands.add(null, 'b', { apiKey: 'k2' })).rejects.toThrow(UnusableCredentialsError);
    await expect(commands.update(null, id, { apiKey: 'k2' })).rejects.toThrow(UnusableCredentialsError);
    expect(registry.list().map(({ credentials }) => credentials)).toEqual([{ key: 'k0' }, { key: 'k1' }]);
    expect((await commands.update(null, id, { key: 'k2' })).credentials).toEqual({ key: 'k2' });
  });

  it('refuses to update or remove an account of the configuration', async () => {
    const rig = await gateway.start([SEED]);
    const { id } = rig.account('a');
    await expect(rig.commands.remove(null, id)).rejects.toThrow(InvalidRequestError);
    await expect(rig.commands.update(null, id, { key: 'x' })).rejects.toThrow(InvalidRequestError);
  });

  it.each(['enable', 'disable', 'login', 'clearCooldown', 'remove'] as const)(
    'refuses to %s an unknown account',
    async (command) => {
      const { commands } = await gateway.start([]);
      await expect(commands[command](null, 'x')).rejects.toThrow(AccountNotFoundError);
    },
  );

  it('leaves a removed account unusable for those who still hold it', async () => {
    const { commands } = await gateway.start([]);
    const account = await commands.add(null, 'mine', { key: 'k' });
    await commands.remove(null, account.id);
    expect(account.isUsable).toBe(false);
  });

  it('clears a cooldown for good', async () => {
    const rig = await gateway.start([SEED]);
    rig.health.coolDown(rig.account('a'), 60_000, 'limit');
    await rig.commands.clearCooldown(null, rig.account('a').id);
    expect(rig.account('a').stateAt(0)).toBe('ready');
    expect((await gateway.start([SEED])).account('a').stateAt(0)).toBe('ready');
  });

  it('ends the cooldown of old credentials for good, not that of a login', async () => {
    const first = await gateway.start([]);
    const account = await first.commands.add(null, 'mine', { key: 'old' });
    first.health.coolDown(account, 60_000, 'limit', 'big');
    await first.commands.login(null, account.id);
    expect(account.stateAt(0)).toBe('cooldown');
    await first.commands.update(null, account.id, { key: 'new' });
    expect([account.stateAt(0), account.cooldown.cause]).toEqual(['ready', '']);
    expect((await gateway.start([])).account('mine').stateAt(0)).toBe('ready');
  });

  it('lets a lost login start anew, without the evidence', async () => {
    const first = await gateway.start([SEED]);
    const { id } = first.account('a');
    const screenshot = Uint8Array.of(1);
    first.health.requireLogin(
      first.account('a'),
      new LoginRequiredError('blocked', 'A challenge page.', {
        evidence: { url: '', title: '', screenshot },
      }),
    );
    expect(await first.registry.screenshot(id)).toEqual(screenshot);
    await first.commands.login(null, id);
    const second = await gateway.start([SEED]);
    expect(second.account('a').stateAt(0)).toBe('ready');
    expect(await second.registry.screenshot(id)).toBeUndefined();
  });
});

describe('AccountCommands on a store that accepts no writes', () => {
  it('throws and changes nothing; succeeds once the store accepts writes again', async () => {
    const rig = await gateway.start([]);
    const { commands, health, database } = rig;
    const account = await commands.add(null, 'mine', { key: 'k1' });
    const { id } = account;
    health.requireLogin(account, new LoginRequiredError('invalid_credentials', 'no'));
    const disabled = await commands.add(null, 'disabled', { key: 'k3' });
    await commands.disable(null, disabled.id);
    const changes = changesOf(rig);

    database.prepare('PRAGMA query_only = ON').run();
    await expect(commands.add(null, 'other', {})).rejects.toThrow('its file is read-only');
    await expect(commands.disable(null, id)).rejects.toThrow('its file is read-only');
    await expect(commands.enable(null, disabled.id)).rejects.toThrow('its file is read-only');
    await expect(commands.update(null, id, { key: 'k2' })).rejects.toThrow('its file is read-only');
    await expect(commands.login(null, id)).rejects.toThrow('its file is read-only');
    await expect(commands.remove(null, id)).rejects.toThrow('its file is read-only');
    expect(rig.registry.list().map(({ name }) => name)).toEqual(['mine', 'disabled']);
    expect([account.isEnabled, disabled.isEnabled]).toEqual([true, false]);
    expect(account.credentials).toEqual({ key: 'k1' });
    expect(account.loginFailure?.fault).toBe('invalid_credentials');
    expect(changes).toEqual([]);

    database.prepare('PRAGMA query_only = OFF').run();
    await commands.update(null, id, { key: 'k2' });
    await commands.disable(null, id);
    expect(changes).toEqual(['closed', 'opened', 'closed']);
    const again = (await gateway.start([])).registry.get(id);
    expect([again.isEnabled, again.credentials]).toEqual([false, { key: 'k2' }]);
  });
});
