import { access, constants, lstat } from 'node:fs/promises';
import path from 'node:path';

export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` and its group, by the number that Linux distributions and container images share. */
const NOBODY: UserIds = { uid: 65534, gid: 65534 };

/**
 * The user that the browser runs as: undefined means this process's own. Chromium refuses to run as root with its
 * sandbox on, so root hands it to an unprivileged user.
 */
export function browserUser(noSandbox: boolean): UserIds | undefined {
  return process.getuid?.() === 0 && !noSandbox ? NOBODY : undefined;
}

/** First folder on the path to a file that other users may not enter; undefined if there is none. */
export async function findClosedFolder(file: string): Promise<string | undefined> {
  const parts = path.resolve(file).split(path.sep).slice(1, -1);
  let folder: string = path.sep;
  for (const part of ['', ...parts]) {
    folder = path.join(folder, part);
    const stats = await lstat(folder).catch(() => undefined);
    if (stats?.isDirectory() && (stats.mode & 0o001) === 0) {
      return folder;
    }
  }
  return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
