import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../../src/common/config/settings.js';
import { Database } from '../../../src/common/store/database.js';
import { PgDatabase } from '../../../src/common/store/pg-database.js';
import { createTestDatabase } from './postgres-server.js';

/** A store under test, alone in a database of its own. */
export interface OpenedStore<Store> {
  readonly store: Store;
  /** The database that several gateways share, and its address; missing for the embedded store. */
  readonly shared?: PgDatabase;
  readonly url?: string;
  /** Closes the database and removes it. */
  close(this: void): Promise<void>;
}

/** The two adapters of a port, by the database that they are made upon. */
interface Adapters<Store> {
  embedded(this: void, database: Database): Store;
  shared(this: void, database: PgDatabase): Store;
}

/**
 * Both stores of a port, for tests of what holds for either.
 * @example describe.each(eachStore({ embedded: …, shared: … }))('the %s store', (_name, open) => { … });
 */
export function eachStore<Store>({
  embedded,
  shared,
}: Adapters<Store>): [name: string, open: () => Promise<OpenedStore<Store>>][] {
  return [
    ['embedded', () => openEmbedded(embedded)],
    ['shared', () => openShared(shared)],
  ];
}

/** The store that several gateways share. */
export async function openShared<Store>(make: Adapters<Store>['shared']): Promise<OpenedStore<Store>> {
  const made = await createTestDatabase();
  const shared = await PgDatabase.open(made.url);
  return {
    store: make(shared),
    shared,
    url: made.url,
    close: async () => {
      await shared.close();
      await made.drop();
    },
  };
}

async function openEmbedded<Store>(make: Adapters<Store>['embedded']): Promise<OpenedStore<Store>> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const database = new Database(Object.assign(new Settings(), { DATA_DIR: folder }));
  return {
    store: make(database),
    close: async () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
