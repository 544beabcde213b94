import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Replaces a file so that a reader, or a crash at any moment, sees the old content or the new one, never a part.
 * On failure (a full disk included) the old file is untouched and no temporary file is left.
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
  // The rename itself is only durable once the folder is.
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
