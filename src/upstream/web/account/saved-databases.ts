import { type Page } from 'puppeteer';
import { z } from 'zod';
import { dumpDatabases } from './database-functions.js';

/** Most characters of JSON that are kept of one database: a login is small, what is larger are conversations. */
const MAX_DATABASE_CHARS = 256 * 1024;
const READ_LIMIT_MS = 3000;

const keyPath = z.union([z.string(), z.array(z.string())]);
const savedStore = z.object({
  name: z.string(),
  keyPath: keyPath.nullable(),
  autoIncrement: z.boolean(),
  indexes: z.array(z.object({ name: z.string(), keyPath, unique: z.boolean(), multiEntry: z.boolean() })),
  records: z.array(z.object({ key: z.union([z.string(), z.number()]), value: z.unknown() })),
});
const savedDatabase = z.object({ name: z.string(), version: z.number(), stores: z.array(savedStore) });

/** Databases of IndexedDB by origin: their shape, and the records that JSON can hold unchanged. */
export const savedDatabases = z.record(z.string(), z.array(savedDatabase));
export type SavedDatabases = z.output<typeof savedDatabases>;
export type SavedDatabase = z.output<typeof savedDatabase>;

/** Reads the databases of a page's origin; large ones are left out. */
export async function readDatabases(page: Page): Promise<SavedDatabases> {
  const { origin, databases } = await page.evaluate(dumpDatabases, READ_LIMIT_MS);
  const small = databases.filter((database) => JSON.stringify(database).length <= MAX_DATABASE_CHARS);
  return small.length === 0 ? {} : { [origin]: small };
}
