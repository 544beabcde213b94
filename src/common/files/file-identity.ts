import { statSync } from 'node:fs';

/** Number by which the system knows a file, whatever its name; undefined where there is none that can be found. */
export function inodeOf(path: string): bigint | undefined {
  try {
    return statSync(path, { bigint: true }).ino;
  } catch {
    return undefined;
  }
}
