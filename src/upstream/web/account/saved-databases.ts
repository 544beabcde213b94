import { z } from 'zod';

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
