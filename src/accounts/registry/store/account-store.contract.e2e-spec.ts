import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SteppedClock } from '../../../../test/support/gateway/accounts-rig.js';
import { eachStore, type OpenedStore, openShared } from '../../../../test/support/postgres/opened-stores.js';
import { ENDLESS } from '../../../cluster/single-node-tenures.js';
import { PgDatabase } from '../../../common/store/pg-database.js';
import { SecretBox } from '../../../common/store/secret-box.js';
import { Account } from '../account.js';
import { type AccountStore, type AccountWrite } from './account-store.js';
import { PgAccountStore } from './pg-account-store.js';
import { SqliteAccountStore } from './sqlite-account-store.js';

const PROVIDER = 'openai https://one.test/v1';
const FAILURE = { fault: 'login_wall', message: 'Logged out.', at: 1, hasScreenshot: true };
const NOTHING = { requests: 0, failures: 0, rateLimits: 0, lastUsedAt: undefined, lastLoginAt: undefined };

const box = new SecretBox(Buffer.alloc(32, 7));
const clock = new SteppedClock();

const pgAccountStore = (database: PgDatabase): PgAccountStore => new PgAccountStore(database, box, clock, 1);
const STORES = eachStore<AccountStore>({
  embedded: (database) => new SqliteAccountStore(database, box),
  shared: pgAccountStore,
});

let opened: OpenedStore<AccountStore>;
let store: AccountStore;
afterEach(() => opened.close());

async function add(name: string, source: 'configuration' | 'operator' = 'operator'): Promise<Account> {
  const account = new Account(`id-of-${name}`, name, source, { key: `key-of-${name}` }, 1000, ENDLESS);
  expect(await store.insert(account, PROVIDER)).toBe(true);
  return account;
}

const only = async () => (await store.list(PROVIDER))[0]!;
const from = ({ id }: Account) => ({ id, term: 0, login: 0 });

describe.each(STORES)('the %s store of accounts', (_name, open) => {
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });

  it('gives back what was inserted, the oldest first, of one provider', async () => {
    await add('b');
    await add('a');
    expect(await store.list('another')).toEqual([]);
    expect((await store.list(PROVIDER)).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await only()).toEqual({
      ...(opened.shared && { login: 0 }),
      id: 'id-of-a',
      name: 'a',
      source: 'operator',
      isPresent: true,
      isEnabled: true,
      credentials: { key: 'key-of-a' },
      requests: 0,
      failures: 0,
      rateLimits: 0,
      createdAt: 1000,
    });
  });

  it('refuses a second account of a name, but replaces one that is absent', async () => {
    const first = await add('a', 'configuration');
    const second = new Account('other', 'a', 'operator', { key: 'k2' }, 2000, ENDLESS);
    expect(await store.insert(second, PROVIDER)).toBe(false);
    expect((await only()).id).toBe(first.id);
    await store.savePresence(first.id, false);
    expect(await store.insert(second, PROVIDER)).toBe(true);
    expect(await store.list(PROVIDER)).toMatchObject([{ id: 'other', credentials: { key: 'k2' } }]);
  });

  it('keeps what the operator says', async () => {
    const { id } = await add('a');
    await store.saveEnabled(id, false);
    await store.savePresence(id, false);
    expect(await only()).toMatchObject({ isEnabled: false, isPresent: false });
    await store.delete(id);
    expect(await store.list(PROVIDER)).toEqual([]);
  });

  it('keeps a cooldown, and its last one only', async () => {
    const account = await add('a');
    const startedAt = clock.now();
    const cooldown = { startedAt, until: startedAt + 60_000, cause: 'too fast' };
    await store.write([{ ...from(account), kind: 'cooldown', cooldown }]);
    const stored = (await only()).cooldown!;
    expect(stored.cause).toBe('too fast');
    expect(stored.until - clock.now()).toBeGreaterThan(30_000);
    expect(stored.until - clock.now()).toBeLessThanOrEqual(60_000);
    expect(stored).not.toHaveProperty('model');
    await store.write([{ ...from(account), kind: 'cooldown', cooldown: { ...cooldown, model: 'big' } }]);
    expect((await only()).cooldown?.model).toBe('big');
    await store.clearCooldown(account.id);
    expect((await only()).cooldown).toBeUndefined();
  });

  it('keeps the state of a login until the next one', async () => {
    const account = await add('a');
    const { id } = account;
    const writes: AccountWrite[] = [
      { ...from(account), kind: 'state', state: 'cookies' },
      { ...from(account), kind: 'loginFailure', failure: FAILURE, screenshot: Uint8Array.of(1, 2, 3) },
    ];
    await store.write(writes);
    expect(await store.driverState(id)).toBe('cookies');
    expect([...(await store.screenshot(id))!]).toEqual([1, 2, 3]);
    expect((await only()).loginFailure).toEqual(FAILURE);
    await store.forgetLogin(id);
    expect([await store.driverState(id), await store.screenshot(id)]).toEqual([undefined, undefined]);
    expect((await only()).loginFailure).toBeUndefined();
  });

  it('deletes the state and the cooldown of a login with its credentials', async () => {
    const account = await add('a');
    const cooldown = { startedAt: clock.now(), until: clock.now() + 60_000, cause: 'too fast' };
    await store.write([
      { ...from(account), kind: 'state', state: 'cookies' },
      { ...from(account), kind: 'cooldown', cooldown },
    ]);
    await store.saveCredentials(account.id, { key: 'new' });
    expect(await store.driverState(account.id)).toBeUndefined();
    expect((await only()).cooldown).toBeUndefined();
    expect((await only()).credentials).toEqual({ key: 'new' });
  });

  it('adds counts, and keeps times of use', async () => {
    const account = await add('a');
    const used = { ...NOTHING, requests: 2, failures: 1, lastUsedAt: 5000 };
    await store.write([], { number: 1, counts: [{ id: account.id, added: used }] });
    const again = { ...NOTHING, requests: 3, rateLimits: 1, lastLoginAt: 6000 };
    await store.write([{ ...from(account), kind: 'state', state: 's' }], {
      number: 2,
      counts: [{ id: account.id, added: again }],
    });
    expect(await only()).toMatchObject({
      requests: 5,
      failures: 1,
      rateLimits: 1,
      lastUsedAt: 5000,
      lastLoginAt: 6000,
    });
  });

  it('writes a batch as a whole or not at all', async () => {
    const account = await add('a');
    const { id } = account;
    const broken = { id, added: { ...NOTHING, failures: {} as number } };
    const counts = [{ id, added: { ...NOTHING, requests: 1 } }, broken];
    await expect(store.write([], { number: 1, counts })).rejects.toThrow();
    expect(await only()).toMatchObject({ requests: 0, failures: 0 });
  });

  it('has no secret in plain text, and no value that opens elsewhere', async () => {
    const account = await add('a');
    await store.write([{ ...from(account), kind: 'state', state: 'cookies-of-a' }]);
    const rows = opened.shared ? await opened.shared.query('SELECT * FROM accounts') : [];
    const text = rows.map((row) => Object.values(row).map(String).join()).join();
    expect(text).not.toMatch(/key-of-a|cookies-of-a/);
  });
});

describe('PgAccountStore, of several nodes', () => {
  beforeEach(async () => {
    opened = await openShared(pgAccountStore);
    store = opened.store;
  });

  it('numbers the changes that other nodes must hear of, and only those', async () => {
    const version = async () =>
      (await opened.shared!.query<{ v: number }>('SELECT accounts_version AS v FROM meta'))[0]!.v;
    const account = await add('a');
    const inserted = await version();
    await store.write([], { number: 1, counts: [{ id: account.id, added: { ...NOTHING, requests: 1 } }] });
    await store.write([{ ...from(account), kind: 'state', state: 's' }]);
    expect(await version()).toBe(inserted);
    await store.write([{ ...from(account), kind: 'cooldown', cooldown: undefined }]);
    await store.saveEnabled(account.id, false);
    await store.delete(account.id);
    expect(await version()).toBe(inserted + 3);
  });

  it('is read while other statements hold all connections, since no grant counts before', async () => {
    await add('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = [1, 2, 3].map(() => opened.shared!.transaction(() => promise));
    expect(await only()).toMatchObject({ name: 'a' });
    resolve();
    await Promise.all(others);
  });

  it('opens credentials once, and anew where they are others', async () => {
    const [{ id }] = [await add('a'), await add('b')];
    await store.list(PROVIDER);
    const open = jest.spyOn(box, 'openText');
    await store.list(PROVIDER);
    expect(open).not.toHaveBeenCalled();
    await store.saveCredentials(id, { key: 'other' });
    expect((await store.list(PROVIDER)).map(({ credentials }) => credentials)).toEqual([
      { key: 'other' },
      { key: 'key-of-b' },
    ]);
    expect(open).toHaveBeenCalledTimes(1);
    open.mockRestore();
  });

  it('takes nothing from a node that has lost the account, and nothing of an earlier login', async () => {
    const account = await add('a');
    const { id } = account;
    await opened.shared!.query('UPDATE tenures SET term = 20');
    const state = (term: number, login: number, text: string) =>
      store.write([{ id, term, login, kind: 'state', state: text }]);
    await state(20, 0, 'of the holder');
    await state(10, 0, 'late');
    expect(await store.driverState(id)).toBe('of the holder');
    await store.forgetLogin(id);
    await state(20, 0, 'of the earlier login');
    expect(await store.driverState(id)).toBeUndefined();
    expect(await only()).toMatchObject({ login: 1 });
    await state(20, 1, 'new');
    expect(await store.driverState(id)).toBe('new');
  });

  it('takes a cooldown of the release before, which knows no model, for one of the whole account', async () => {
    const account = await add('a');
    const cooldown = { startedAt: clock.now(), until: clock.now() + 60_000, cause: 'of big', model: 'big' };
    await store.write([{ ...from(account), kind: 'cooldown', cooldown }]);
    await opened.shared!.query(
      "UPDATE accounts SET cooldown_until = clock_timestamp() + interval '1 min', cooldown_cause = 'of all'",
    );
    const stored = (await only()).cooldown;
    expect(stored?.cause).toBe('of all');
    expect(stored).not.toHaveProperty('model');
    await store.write([{ ...from(account), kind: 'cooldown', cooldown }]);
    expect((await only()).cooldown?.model).toBe('big');
  });

  it('adds up what several nodes count at the same time, and nothing twice', async () => {
    const { id } = await add('a');
    const other = await PgDatabase.open(opened.url!);
    const stores = [store, pgAccountStore(other)];
    const counts = [{ id, added: { ...NOTHING, requests: 1 } }];
    const write = async (one: AccountStore): Promise<void> => {
      for (let number = 1; number <= 20; number++) {
        await one.write([], { number, counts });
        // As if no answer had come.
        await one.write([], { number, counts });
      }
    };
    await Promise.all(stores.map(write));
    await other.close();
    expect((await only()).requests).toBe(40);
  });
});
