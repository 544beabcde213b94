import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Replaces a file atomically: a reader sees the old content or the new one, also after a crash at any moment. On
 * failure (e.g. a full disk) the old file is untouched and no temporary file is left.
 * @param mode permissions of the new file
 */
export function writeFileAtomically(path: string, content: Uint8Array, mode: number): void {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    writeNew(temporary, content, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  // The rename is durable only once the folder is synced.
  syncFolder(folder);
}

function writeNew(path: string, content: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (let written = 0; written < content.length;) {
      written += writeSync(file, content, written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(folder: string): void {
  // Windows cannot open a folder for syncing.
  if (process.platform === 'win32') {
    return;
  }
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
