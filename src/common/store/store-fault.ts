import { accessSync, constants, statfsSync } from 'node:fs';
import { isBusy, isDiskFault, isFull, isReadOnly } from './sqlite/sqlite.js';

/** What keeps a store from being used, where its file is as it should be. */
export interface StoreFault {
  /** Half a sentence, without any path: callers are told as well. */
  readonly what: string;
  /** Whether it may pass without a change of the configuration. */
  readonly passes: boolean;
}

const FULL: StoreFault = { what: 'the disk is full', passes: true };

/** By the code with which the system refuses to write to a folder. */
const WORDS: Readonly<Record<string, StoreFault>> = {
  EACCES: { what: 'this user may not write to its folder', passes: false },
  ENOENT: { what: 'its folder is gone', passes: false },
  EROFS: { what: 'its disk is read-only', passes: false },
};

/** @returns undefined for other errors, whose own words say more */
export function storeFault(error: unknown, folder: string): StoreFault | undefined {
  if (isBusy(error)) {
    return { what: 'another process holds gateway.db', passes: true };
  }
  if (isFull(error)) {
    return FULL;
  }
  return isDiskFault(error) ? (folderFault(folder) ?? fileFault(error)) : undefined;
}

function fileFault(error: unknown): StoreFault {
  return isReadOnly(error)
    ? { what: 'its file is read-only', passes: false }
    : { what: 'the disk fails to read or write', passes: true };
}

/** SQLite has the same words for a full disk and a broken one, so the folder is asked. */
function folderFault(folder: string): StoreFault | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return statfsSync(folder).bavail === 0 ? FULL : undefined;
  } catch (error) {
    return WORDS[(error as NodeJS.ErrnoException).code ?? ''];
  }
}
