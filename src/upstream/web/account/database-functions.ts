/*
 * Functions that run inside the page. They are sent as source text, so each must be self-contained: no imports, no
 * helpers. The types below declare only the parts of IndexedDB that they use.
 */
import { type SavedDatabase, type SavedDatabases } from './saved-databases.js';

interface DatabaseRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  onsuccess?: () => void;
  onerror?: () => void;
  onupgradeneeded?: () => void;
}
interface StoreIndex {
  readonly name: string;
  readonly keyPath: string | string[];
  readonly unique: boolean;
  readonly multiEntry: boolean;
}
interface ObjectStore {
  readonly keyPath: string | string[] | null;
  readonly autoIncrement: boolean;
  readonly indexNames: Iterable<string>;
  index(name: string): StoreIndex;
  createIndex(name: string, keyPath: string | string[], options: object): void;
  getAll(): DatabaseRequest<unknown[]>;
  getAllKeys(): DatabaseRequest<unknown[]>;
  put(value: unknown, key?: unknown): void;
}
interface OpenDatabase {
  readonly version: number;
  readonly objectStoreNames: Iterable<string>;
  transaction(store: string): { objectStore(name: string): ObjectStore };
  createObjectStore(name: string, options: object): ObjectStore;
  close(): void;
}
declare const indexedDB: {
  databases(): Promise<{ name?: string }[]>;
  open(name: string, version?: number): DatabaseRequest<OpenDatabase>;
};
declare const location: { origin: string };

/**
 * The databases of the page's origin, without the records that JSON would change.
 * @param limitMs those that have not been read by then are left out, too
 */
export async function dumpDatabases(
  limitMs: number,
): Promise<{ origin: string; databases: SavedDatabase[] }> {
  const done = <Result>(request: DatabaseRequest<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(String(request.error)));
    });
  const isKey = (key: unknown): key is string | number => typeof key === 'string' || typeof key === 'number';
  const isJson = (value: unknown): boolean => {
    if (value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)) {
      return true;
    }
    const isPlain =
      typeof value === 'object' &&
      [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value) as never);
    return isPlain && Object.values(value).every(isJson);
  };
  const dumpStore = async (
    database: OpenDatabase,
    name: string,
  ): Promise<SavedDatabase['stores'][number]> => {
    const store = database.transaction(name).objectStore(name);
    const indexes = [...store.indexNames].map((index) => {
      const { keyPath, unique, multiEntry } = store.index(index);
      return { name: index, keyPath, unique, multiEntry };
    });
    const { keyPath, autoIncrement } = store;
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const records = keys.flatMap((key, at) =>
      isKey(key) && isJson(values[at]) ? [{ key, value: values[at] }] : [],
    );
    return { name, keyPath, autoIncrement, indexes, records };
  };
  const databases: SavedDatabase[] = [];
  const dumpAll = async (): Promise<void> => {
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      try {
        const stores = [];
        for (const store of database.objectStoreNames) {
          stores.push(await dumpStore(database, store));
        }
        databases.push({ name, version: database.version, stores });
      } finally {
        database.close();
      }
    }
  };
  // A database that cannot be read, or is locked by the site, must not fail the login.
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([dumpAll(), limit]).catch(() => undefined);
  return { origin: location.origin, databases };
}

/**
 * Makes the databases of the page's origin that do not exist. All of it is asked for before the site's first script
 * runs, and the browser opens a database for one asker after the other: the site finds it filled.
 */
export function fillDatabases(saved: SavedDatabases): void {
  for (const { name, version, stores } of saved[location.origin] ?? []) {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const { name: storeName, keyPath, autoIncrement, indexes, records } of stores) {
        const store = opening.result.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const { name: index, keyPath: path, unique, multiEntry } of indexes) {
          store.createIndex(index, path, { unique, multiEntry });
        }
        for (const { key, value } of records) {
          store.put(value, ...(keyPath === null ? [key] : []));
        }
      }
    };
    opening.onsuccess = () => opening.result.close();
  }
}
