import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Modules of the tools' build that the scripts load, as paths from the root of the project. */
async function loadedModules(): Promise<string[]> {
  const names = (await readdir('scripts', { recursive: true })).filter((name) => name.endsWith('.mjs'));
  const texts = await Promise.all(names.map((name) => readFile(join('scripts', name), 'utf8')));
  const imports = texts.flatMap((text) => [...text.matchAll(/'[./]+\/dist-tools\/([^']+)\.js'/g)]);
  return [...new Set(imports.map(([, path]) => `${path}.ts`))].sort();
}

describe('tools/recipe/tsconfig.json', () => {
  it('compiles every module that the scripts load', async () => {
    const config = JSON.parse(await readFile('tools/recipe/tsconfig.json', 'utf8')) as { files: string[] };
    const entries = config.files.map((path) => path.replace('../../', ''));
    const loaded = await loadedModules();
    expect(loaded).toContain('tools/recipe/check/recipe-check.ts');
    // Modules of the server are compiled only where a tool imports them, or the list of files names them.
    expect(loaded.filter((path) => path.startsWith('src/'))).toEqual(entries.sort());
    await Promise.all(loaded.map((path) => readFile(path)));
  });
});
