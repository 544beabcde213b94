import { statSync } from 'node:fs';

/**
 * Numbers by which the system knows the two files of an open SQLite database, its own and the one of its latest changes,
 * whatever their names; undefined where one cannot be found. A back-up that is copied over the first keeps its number.
 */
export function identityOf(databasePath: string): string | undefined {
  try {
    return [databasePath, `${databasePath}-wal`].map((path) => statSync(path, { bigint: true }).ino).join();
  } catch {
    return undefined;
  }
}
