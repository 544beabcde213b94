/*
 * Functions that run inside the page. They are sent as source text, so each must be self-contained: no imports, and no
 * helpers but those that it is given. The types below declare only the parts of IndexedDB that they use.
 */
import { type SavedDatabase, type SavedDatabases } from './saved-databases.js';

interface DatabaseRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  onsuccess?: () => void;
  onerror?: () => void;
  onupgradeneeded?: () => void;
}
interface Cursor {
  readonly key: unknown;
  readonly value: unknown;
  continue(): void;
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
  openCursor(): DatabaseRequest<Cursor | null>;
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

/** What `dumpExpression` evaluates to. */
export interface DumpedDatabases {
  readonly origin: string;
  readonly databases: SavedDatabase[];
}

/** Calls `take` with one record after the other. `take` ends the walk by throwing. */
type Walk = (store: ObjectStore, take: (key: unknown, value: unknown) => void) => Promise<void>;
type Dump = (name: string, database: OpenDatabase, maxChars: number, walk: Walk) => Promise<SavedDatabase>;

/**
 * An expression to be evaluated in a page: the databases of its origin, without the records that JSON would change. A large
 * one is read no further than to the limit, and left out.
 * @param maxChars of the JSON of one database
 * @param limitMs those that have not been read by then are left out, too
 */
export function dumpExpression(maxChars: number, limitMs: number): string {
  const [main, dump, walk] = [dumpDatabases, dumpDatabase, walkStore].map(String);
  return `(${main})(${maxChars}, ${limitMs}, ${dump}, ${walk})`;
}

async function dumpDatabases(
  maxChars: number,
  limitMs: number,
  dump: Dump,
  walk: Walk,
): Promise<DumpedDatabases> {
  let isOver = false;
  const open = (name: string): Promise<OpenDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(String(request.error)));
    });
  const walkInTime: Walk = (store, take) =>
    walk(store, (key, value) => {
      if (isOver) {
        throw new Error('It takes too long.');
      }
      take(key, value);
    });
  const databases: SavedDatabase[] = [];
  const dumpAll = async (): Promise<void> => {
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await open(name);
      await dump(name, database, maxChars, walkInTime)
        .then((dumped) => databases.push(dumped))
        .catch(() => undefined);
      database.close();
    }
  };
  // A database that cannot be read, or is locked by the site, must not fail the login.
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([dumpAll(), limit]).catch(() => undefined);
  isOver = true;
  return { origin: location.origin, databases };
}

/** Rejects if the database is too large. */
async function dumpDatabase(
  name: string,
  database: OpenDatabase,
  maxChars: number,
  walk: Walk,
): Promise<SavedDatabase> {
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
  let chars = 0;
  const count = <Part>(part: Part): Part => {
    chars += JSON.stringify(part).length;
    if (chars > maxChars) {
      throw new Error('It is too large.');
    }
    return part;
  };
  const stores = [];
  for (const storeName of database.objectStoreNames) {
    const store = database.transaction(storeName).objectStore(storeName);
    const indexes = [...store.indexNames].map((index) => {
      const { keyPath, unique, multiEntry } = store.index(index);
      return { name: index, keyPath, unique, multiEntry };
    });
    const { keyPath, autoIncrement } = store;
    const shape = count({ name: storeName, keyPath, autoIncrement, indexes });
    const records: SavedDatabase['stores'][number]['records'] = [];
    await walk(store, (key, value) => {
      if (isKey(key) && isJson(value)) {
        records.push(count({ key, value }));
      }
    });
    stores.push({ ...shape, records });
  }
  return { name, version: database.version, stores };
}

function walkStore(store: ObjectStore, take: (key: unknown, value: unknown) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = store.openCursor();
    request.onerror = () => reject(new Error(String(request.error)));
    request.onsuccess = () => {
      try {
        const cursor = request.result;
        if (!cursor) {
          return resolve();
        }
        take(cursor.key, cursor.value);
        cursor.continue();
      } catch (error) {
        reject(new Error(String(error)));
      }
    };
  });
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
