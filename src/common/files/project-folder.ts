import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that holds `package.json`, and with it `client/` and `recipes/`: the same whether this runs from `src`
 * or compiled from `dist`.
 */
export function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    folder = dirname(folder);
  }
  return folder;
}
