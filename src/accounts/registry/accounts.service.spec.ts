import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsRig } from '../../../test/support/gateway/accounts-rig.js';
import { ScriptedDriver } from '../../../test/support/upstream/scripted-driver.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type AccountSeed } from '../../upstream/upstream-driver.js';
import { originAndPath } from './account.js';
import { AccountNotFoundError } from './accounts.errors.js';
import { type AccountChange } from './accounts.service.js';

/** Wall clock and monotonic time that a test moves one by one. */
class TestClock extends Clock {
  wall = Date.UTC(2030, 0, 1);
  passed = 0;

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.passed;
  }

  pass(ms: number): void {
    this.wall += ms;
    this.passed += ms;
  }
}

const SEED_A: AccountSeed = { name: 'a', credentials: { user: 'ann', password: 'pass-of-ann' } };
const SEED_B: AccountSeed = { name: 'b', credentials: { user: 'bob', password: 'pass-of-bob' } };

let folder: string;
let clock: TestClock;
let rig: AccountsRig | undefined;

async function start(seeds: AccountSeed[], overrides = {}): Promise<AccountsRig> {
  await rig?.close({ keepFolder: true });
  rig = new AccountsRig(new ScriptedDriver(seeds), { DATA_DIR: folder, ...overrides }, clock);
  return rig;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  clock = new TestClock();
});

afterEach(async () => {
  await rig?.close({ keepFolder: true });
  rig = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const namesOf = ({ accounts }: AccountsRig) => accounts.list().map(({ name }) => name);

describe('accounts of the configuration', () => {
  it('keep their identity, state and counters over restarts', async () => {
    const first = await start([SEED_A, SEED_B]);
    const account = first.account('a');
    first.accounts.countRequest(account);
    first.accounts.countFailure(account);
    first.accounts.coolDown(account, 60_000, 'too fast');
    first.accounts.disable(first.account('b').id);
    const { id } = account;
    clock.pass(20_000);
    const second = await start([SEED_A, SEED_B]);
    const again = second.account('a');
    expect(again.id).toBe(id);
    expect([again.requests, again.failures, again.rateLimits]).toEqual([1, 1, 1]);
    expect(again.cooldown.remainingMs(clock.monotonic())).toBe(40_000);
    expect(again.cooldown.cause).toBe('too fast');
    expect(second.account('b').stateAt(0)).toBe('disabled');
  });

  it('rest while they are not in the configuration, and come back as they were', async () => {
    const first = await start([SEED_A, SEED_B]);
    const { id } = first.account('b');
    expect(namesOf(await start([SEED_A]))).toEqual(['a']);
    expect(() => rig!.accounts.get(id)).toThrow(AccountNotFoundError);
    expect((await start([SEED_A, SEED_B])).account('b').id).toBe(id);
  });

  it('take changed credentials, and forget login state and failure of the old ones', async () => {
    const first = await start([SEED_A]);
    const { id } = first.account('a');
    first.accounts.toUpstream(first.account('a')).saveState('cookies');
    first.accounts.requireLogin(first.account('a'), new LoginRequiredError('invalid_credentials', 'no'));
    const changed = { name: 'a', credentials: { user: 'ann', password: 'new' } };
    const account = (await start([changed])).account('a');
    expect(account.id).toBe(id);
    expect(account.credentials).toEqual(changed.credentials);
    expect(account.loginFailure).toBeUndefined();
    expect(rig!.accounts.toUpstream(account).loadState()).toBeUndefined();
    expect((await start([changed])).account('a').credentials).toEqual(changed.credentials);
  });

  it('cannot be changed or removed here', async () => {
    const { accounts } = await start([SEED_A]);
    const { id } = rig!.account('a');
    expect(() => accounts.remove(id)).toThrow(InvalidRequestError);
    expect(() => accounts.update(id, { key: 'x' })).toThrow(InvalidRequestError);
  });
});

describe('accounts while the store takes nothing', () => {
  it('stay as they are, whatever the operator asks for, and do it later', async () => {
    const { accounts, database } = await start([]);
    const account = accounts.add('mine', { key: 'k1' });
    const { id } = account;
    accounts.requireLogin(account, new LoginRequiredError('invalid_credentials', 'no'));
    const resting = accounts.add('resting', { key: 'k3' });
    accounts.disable(resting.id);
    const changes: string[] = [];
    accounts.changes$.subscribe(({ kind }) => changes.push(kind));

    database.prepare('PRAGMA query_only = ON').run();
    expect(() => accounts.add('other', {})).toThrow('readonly');
    expect(() => accounts.disable(id)).toThrow('readonly');
    expect(() => accounts.enable(resting.id)).toThrow('readonly');
    expect(() => accounts.update(id, { key: 'k2' })).toThrow('readonly');
    expect(() => accounts.login(id)).toThrow('readonly');
    expect(() => accounts.remove(id)).toThrow('readonly');
    expect(namesOf(rig!)).toEqual(['mine', 'resting']);
    expect([account.isEnabled, resting.isEnabled]).toEqual([true, false]);
    expect(account.credentials).toEqual({ key: 'k1' });
    expect(account.loginFailure?.reason).toBe('invalid_credentials');
    expect(changes).toEqual([]);

    database.prepare('PRAGMA query_only = OFF').run();
    accounts.update(id, { key: 'k2' });
    accounts.disable(id);
    expect(changes).toEqual(['closed', 'opened', 'closed']);
    const again = (await start([])).accounts.get(id);
    expect([again.isEnabled, again.credentials]).toEqual([false, { key: 'k2' }]);
  });
});

describe('accounts of the operator', () => {
  it('are added, updated and removed for good', async () => {
    const first = await start([]);
    const changes: string[] = [];
    first.accounts.changes$.subscribe(({ kind }: AccountChange) => changes.push(kind));
    const { id } = first.accounts.add('mine', { key: 'k1' });
    first.accounts.update(id, { key: 'k2' });
    expect(changes).toEqual(['opened', 'closed', 'opened']);
    const second = await start([]);
    expect(second.accounts.get(id).credentials).toEqual({ key: 'k2' });
    expect(second.accounts.get(id).source).toBe('operator');
    second.accounts.remove(id);
    expect(namesOf(await start([]))).toEqual([]);
  });

  it('need a name of their own', async () => {
    const { accounts } = await start([SEED_A]);
    expect(() => accounts.add('a', {})).toThrow(/named 'a' already/);
  });

  it('may take the name of one that has left the configuration', async () => {
    const first = await start([SEED_A]);
    const { id } = first.account('a');
    const second = await start([]);
    const added = second.accounts.add('a', { key: 'k' });
    expect(added.id).not.toBe(id);
    expect((await start([])).account('a').credentials).toEqual({ key: 'k' });
  });

  it('stay with the provider they were made for', async () => {
    const first = await start([], { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://one.test/v1' });
    first.accounts.add('mine', { key: 'k1' });
    expect(namesOf(await start([], { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://two.test/v1' }))).toEqual(
      [],
    );
    expect(namesOf(await start([], { PROVIDER: 'openai', UPSTREAM_BASE_URL: 'http://one.test/v1' }))).toEqual(
      ['mine'],
    );
  });
});

describe('a cooldown', () => {
  it.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('keeps its length when the wall clock is set %s while it runs', async (_way, jumpMs) => {
    const { accounts } = await start([SEED_A]);
    const one = rig!.account('a');
    accounts.coolDown(one, 2000, 'limit');
    clock.wall += jumpMs;
    clock.pass(1999);
    expect(one.stateAt(clock.monotonic())).toBe('cooldown');
    clock.pass(1);
    expect(one.stateAt(clock.monotonic())).toBe('ready');
  });

  it('is not prolonged by a clock that is set back over a restart', async () => {
    const first = await start([SEED_A]);
    first.accounts.coolDown(first.account('a'), 2000, 'limit');
    clock.wall -= 3_600_000;
    expect((await start([SEED_A])).account('a').cooldown.remainingMs(clock.monotonic())).toBe(2000);
  });

  it('takes the setting where the upstream names no time, and can be cleared', async () => {
    const { accounts } = await start([SEED_A], { RATE_LIMIT_COOLDOWN_MS: 5000 });
    const one = rig!.account('a');
    accounts.coolDown(one, undefined, 'limit');
    expect(one.cooldown.remainingMs(0)).toBe(5000);
    accounts.clearCooldown(one.id);
    expect((await start([SEED_A])).account('a').stateAt(0)).toBe('ready');
  });
});

describe('a lost login', () => {
  it('is remembered with its evidence until the operator asks for a new one', async () => {
    const first = await start([SEED_A]);
    const screenshot = Uint8Array.of(137, 80, 78, 71);
    first.accounts.requireLogin(
      first.account('a'),
      new LoginRequiredError('blocked', 'A challenge page.', {
        url: 'https://chat.test/x?session=hidden',
        title: `Wait, not ${SEED_A.credentials.password} ${'.'.repeat(1000)}`,
        screenshot,
      }),
    );
    const second = await start([SEED_A]);
    const account = second.account('a');
    expect(account.loginFailure).toEqual({
      reason: 'blocked',
      message: 'A challenge page.',
      at: clock.now(),
      url: 'https://chat.test/x',
      title: `Wait, not [redacted] ${'.'.repeat(1000)}`.slice(0, 200),
      hasScreenshot: true,
    });
    expect(second.accounts.screenshot(account.id)).toEqual(Buffer.from(screenshot));
    second.accounts.login(account.id);
    const third = await start([SEED_A]);
    expect(third.account('a').stateAt(0)).toBe('ready');
    expect(third.accounts.screenshot(account.id)).toBeUndefined();
  });

  it.each([
    ['https://u:p@chat.test:8443/a/b?x=1#y', 'https://chat.test:8443/a/b'],
    ['about:blank', 'about:'],
    ['data:text/html,secret', 'data:'],
    ['not a url', ''],
  ])('keeps of the address %s only %s', (url, kept) => {
    expect(originAndPath(url)).toBe(kept);
  });
});

describe('the state of a login', () => {
  it('is not kept once the account is to log in anew: it would bring the earlier login back', async () => {
    const { accounts } = await start([SEED_A]);
    const account = rig!.account('a');
    const before = accounts.toUpstream(account);
    before.saveState('first');
    accounts.login(account.id);
    before.saveState('late');
    const after = accounts.toUpstream(account);
    expect(after.loadState()).toBeUndefined();
    expect(after.login).toBeGreaterThan(before.login);
    after.saveState('second');
    expect(after.loadState()).toBe('second');
  });
});

describe('secrets', () => {
  it('lie in no file of the store', async () => {
    const { accounts } = await start([SEED_A]);
    accounts.toUpstream(rig!.account('a')).saveState('cookie-of-ann');
    accounts.requireLogin(
      rig!.account('a'),
      new LoginRequiredError('blocked', 'x', {
        url: '',
        title: '',
        screenshot: Buffer.from('pixels-of-ann'),
      }),
    );
    for (const close of [false, true]) {
      if (close) {
        await rig!.close({ keepFolder: true });
        rig = undefined;
      }
      const files = readdirSync(folder);
      expect(files.length).toBeGreaterThan(1);
      for (const name of files) {
        const content = readFileSync(join(folder, name), 'latin1');
        expect(content).not.toMatch(/pass-of-ann|cookie-of-ann|pixels-of-ann/);
      }
    }
  });
});
