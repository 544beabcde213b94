import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Unusable files of one store that are kept: one to examine, and the one before it in case that takes a while. */
const MAX_QUARANTINED = 2;
const WAL = '-wal';

/** Renames an unusable file, with its write-ahead log, so that a new one can be created. @returns its new path */
export function quarantineFile(path: string, now: number): string {
  const quarantined = `${path}${suffixOf(now)}`;
  renameSync(path, quarantined);
  if (existsSync(path + WAL)) {
    renameSync(path + WAL, quarantined + WAL);
  }
  rmSync(`${path}-shm`, { force: true });
  return quarantined;
}

/** Deletes the files quarantined in place of a path before a time, in Unix milliseconds, and all but the latest of the rest. */
export function deleteQuarantined(path: string, keepFrom: number): void {
  const oldest = basename(path) + suffixOf(keepFrom);
  const files = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.corrupt-`));
  // The names are in the order of their times.
  const stores = files.filter((name) => !name.endsWith(WAL)).sort();
  const kept = stores.slice(-MAX_QUARANTINED).filter((name) => name >= oldest);
  for (const name of files) {
    if (!kept.some((store) => name === store || name === store + WAL)) {
      rmSync(join(dirname(path), name), { force: true });
    }
  }
}

function suffixOf(time: number): string {
  return `.corrupt-${new Date(time).toISOString().replace(/[:.]/g, '-')}`;
}
