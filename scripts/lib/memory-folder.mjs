import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** More than a run of all tests ever holds at a time, in bytes. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** What is older was left by a run that was killed. */
const LEFT_MS = 24 * 3_600_000;

/**
 * A folder in memory for what tests write: each gateway that they start waits for a disk two dozen times, for the sake of
 * power cuts that no test is about. Removes what killed runs left in it.
 * @param mount a file system in memory
 * @param neededBytes free space that there must be
 * @returns undefined where there is none, where it is small, or where programs may not run from it
 */
export function memoryFolder(mount = '/dev/shm', neededBytes = NEEDED_BYTES) {
  try {
    const { bavail, bsize } = statfsSync(mount);
    if (bavail * bsize < neededBytes || isWithoutPrograms(mount)) {
      return undefined;
    }
    const uid = process.getuid();
    const folder = join(mount, `gateway-tests-${uid}`);
    mkdirSync(folder, { recursive: true });
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== uid) {
      return undefined;
    }
    // As the folder for temporary files: browsers and databases of root run as other users.
    chmodSync(folder, 0o1777);
    removeOld(folder);
    return folder;
  } catch {
    return undefined;
  }
}

function isWithoutPrograms(mount) {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  return mounts.some((line) => {
    const [, place, , options = ''] = line.split(' ');
    return place === mount && options.split(',').includes('noexec');
  });
}

/** What another run removes at the same time, or another user owns, is passed over. */
function removeOld(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      if (lstatSync(path).mtimeMs < Date.now() - LEFT_MS) {
        rmSync(path, { recursive: true, force: true });
      }
    } catch {
      continue;
    }
  }
}
