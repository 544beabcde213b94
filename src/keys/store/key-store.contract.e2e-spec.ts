import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eachStore, type OpenedStore, openShared } from '../../../test/support/postgres/opened-stores.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import { type AccessKey, type KeySecret } from '../access-key.js';
import { type KeyChange, type KeyStore } from './key-store.js';
import { PgKeyStore } from './pg-key-store.js';
import { SqliteKeyStore } from './sqlite-key-store.js';

const pgKeyStore = (database: PgDatabase): PgKeyStore => new PgKeyStore(database);
const STORES = eachStore<KeyStore>({
  embedded: (database) => new SqliteKeyStore(database),
  shared: pgKeyStore,
});

const ANN: AccessKey = {
  name: 'ann',
  role: 'caller',
  models: ['svc-max'],
  requestsPerMinute: 60,
  concurrentRequests: null,
  tokensPerDay: 900_000_000_000,
  priority: 'batch',
  isEnabled: false,
  expiresAt: 1_800_000_000_000,
  createdAt: 1_700_000_000_000,
  revokedAt: null,
  lastUsedAt: null,
};
const OLGA: AccessKey = { ...ANN, name: 'olga', role: 'operator', models: null, createdAt: 1 };
const SECRET: KeySecret = { digest: 'd1', keyName: 'ann', prefix: 'gwk_a', createdAt: 5, expiresAt: null };

let opened: OpenedStore<KeyStore>;
let store: KeyStore;
afterEach(() => opened.close());

describe.each(STORES)('the %s store of keys', (_name, open) => {
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });

  const put = (change: KeyChange): Promise<KeyChange> => store.change(change.key.name, () => change);

  it('gives back what was stored, the oldest first', async () => {
    await put({ key: ANN, secrets: [SECRET] });
    await put({ key: OLGA });
    expect(await store.load()).toEqual({ keys: [OLGA, ANN], secrets: [SECRET], ending: new Set() });
  });

  it('replaces what may change of a key and of its secrets', async () => {
    await put({ key: ANN, secrets: [SECRET] });
    const changed = { ...ANN, models: null, tokensPerDay: null, isEnabled: true, revokedAt: 9 };
    const other = { ...SECRET, digest: 'd2', createdAt: 6 };
    await put({ key: changed, secrets: [{ ...SECRET, expiresAt: 7 }, other] });
    const { keys, secrets } = await store.load();
    expect([keys, secrets]).toEqual([[changed], [{ ...SECRET, expiresAt: 7 }, other]]);
  });

  it('tells a change what is stored', async () => {
    await put({ key: ANN, secrets: [SECRET] });
    await put({ key: OLGA });
    await store.change('ann', (facts) => {
      expect(facts).toEqual({ key: ANN, secrets: [SECRET], count: 2, otherOperators: [OLGA] });
      return { key: ANN };
    });
    await store.change('olga', (facts) => {
      expect(facts).toEqual({ key: OLGA, secrets: [], count: 2, otherOperators: [] });
      return { key: OLGA };
    });
    await store.change('new', (facts) => {
      expect(facts.key).toBeUndefined();
      return { key: { ...ANN, name: 'new' } };
    });
  });

  it('knows no key by a name that none can have', async () => {
    await put({ key: ANN });
    const change = store.change('ann\0', (facts) => {
      expect(facts).toEqual({ key: undefined, secrets: [], count: 1, otherOperators: [] });
      throw new Error('no such key');
    });
    await expect(change).rejects.toThrow('no such key');
  });

  it('changes nothing if the change is refused', async () => {
    await put({ key: ANN });
    const refused = store.change('ann', () => {
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect((await store.load()).keys).toEqual([ANN]);
  });

  it('carries out changes one after the other, each upon what the one before has left', async () => {
    await put({ key: { ...ANN, requestsPerMinute: 1 } });
    const more = (): Promise<KeyChange> =>
      store.change('ann', ({ key }) => ({
        key: { ...key!, requestsPerMinute: key!.requestsPerMinute! + 1 },
      }));
    await Promise.all(Array.from({ length: 10 }, more));
    expect((await store.load()).keys[0]?.requestsPerMinute).toBe(11);
  });

  it('notes last uses, of keys that it has', async () => {
    await put({ key: ANN });
    await store.saveLastUses(
      new Map([
        ['ann', 50],
        ['nobody', 60],
      ]),
    );
    expect((await store.load()).keys).toEqual([{ ...ANN, lastUsedAt: 50 }]);
    await put({ key: ANN });
    expect((await store.load()).keys[0]?.lastUsedAt).toBe(50);
  });
});

describe('PgKeyStore', () => {
  beforeEach(async () => {
    opened = await openShared(pgKeyStore);
    store = opened.store;
  });

  it('tells the others which revoked keys end their running answers', async () => {
    await store.change('ann', () => ({ key: ANN }));
    await store.change('ann', () => ({ key: { ...ANN, revokedAt: 9 }, endsRunning: true }));
    expect((await store.load()).ending).toEqual(new Set(['ann']));
  });

  it('keeps the latest use that any node has told', async () => {
    await store.change('ann', () => ({ key: ANN }));
    await store.saveLastUses(new Map([['ann', 70]]));
    await store.saveLastUses(new Map([['ann', 60]]));
    expect((await store.load()).keys[0]?.lastUsedAt).toBe(70);
  });
});
