import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that holds `package.json`, and with it `client/` and `recipes/`: the same whether this runs from `src`
 * or compiled from `dist`.
 * @throws Error if there is none, as where `dist` was copied alone
 */
export function projectFolder(start = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      return folder;
    }
    if (folder === dirname(folder)) {
      throw new Error(`There is no package.json above ${start}: the gateway runs only within its project.`);
    }
  }
}
