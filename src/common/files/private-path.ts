import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parse, resolve } from 'node:path';

const OWNER_ONLY_FOLDER = 0o700;
/** Mode of a file that may hold a secret. */
export const OWNER_ONLY_FILE = 0o600;
const WORLD_WRITABLE = 0o002;

/** A fresh volume has it. */
const EMPTY_VOLUME = 'lost+found';

/**
 * Makes a folder that only its owner can enter, or takes one that exists. The mode is changed only of a folder that is
 * empty or already holds `ownFile`: a typing error must not close a folder of the system to everybody else.
 * @throws Error for the root of the file system, the folder for temporary files, and a foreign folder that all users may
 * write to
 */
export function takePrivateFolder(folder: string, ownFile: string): void {
  const path = resolve(folder);
  if (path === parse(path).root || path === resolve(tmpdir())) {
    throw new Error('it belongs to the system; name a folder of its own');
  }
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const names = readdirSync(path).filter((name) => name !== EMPTY_VOLUME);
  if (names.length === 0 || names.includes(ownFile)) {
    chmodSync(path, OWNER_ONLY_FOLDER);
  } else if ((statSync(path).mode & WORLD_WRITABLE) !== 0) {
    throw new Error('it holds other files, and all users may write to it; name a folder of its own');
  }
}

/** Makes a file that only its owner can read, or takes that mode for an existing one. SQLite's side files follow it. */
export function takePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY_FILE));
  chmodSync(path, OWNER_ONLY_FILE);
}
