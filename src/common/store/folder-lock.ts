import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { takePrivateFile } from '../files/private-path.js';
import { isBusy } from './sqlite/sqlite.js';

const FILE_NAME = 'gateway.lock';

/** A hold on a folder for one process. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a folder for this process, or returns undefined if another process has it. The lock is one that SQLite takes from
 * the operating system, so it ends with its process, however that dies.
 * @throws what SQLite throws if the file cannot be used
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const path = join(folder, FILE_NAME);
  takePrivateFile(path);
  const database = new DatabaseSync(path);
  try {
    // In memory, so that an empty file stays empty and no side file is left behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) {
      return undefined;
    }
    throw error;
  }
}
