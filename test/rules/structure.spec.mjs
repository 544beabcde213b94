import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { root } from '../../scripts/lib/processes.mjs';
import { measureStructure } from '../../scripts/lib/structure.mjs';

/** More files than a reader takes in at a glance. */
const MAX_FILES = 25;

/** A function that does not fit on a screen. */
const MAX_FUNCTION_LINES = 60;

describe('the layout of the code', () => {
  const { folders, siblingCycles, doubleExports, functions } = measureStructure(root);

  it(`has no folder with more than ${MAX_FILES} files, specs included`, () => {
    expect(folders.filter(([, files]) => files > MAX_FILES)).toEqual([]);
  });

  it('has no two sibling folders that import each other', () => {
    expect(siblingCycles).toEqual([]);
  });

  it('exports no name twice', () => {
    expect(doubleExports).toEqual([]);
  });

  it(`has no function of more than ${MAX_FUNCTION_LINES} lines`, () => {
    expect(functions.filter(([lines]) => lines > MAX_FUNCTION_LINES)).toEqual([]);
  });
});

/** The source of a file that `npm run build` writes; any other file itself. */
function sourceOf(file) {
  const path = file.replaceAll('\\', '/');
  const isBuilt = /^dist(-tools)?\//.test(path);
  return isBuilt
    ? path
        .replace(/^dist\//, 'src/')
        .replace(/^dist-tools\//, '')
        .replace(/\.js$/, '.ts')
    : path;
}

// No compiler reads the scripts, and few of them run in tests.
describe('the scripts', () => {
  it('import files that there are', () => {
    const imports = globSync('scripts/**/*.mjs', { cwd: root }).flatMap((script) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, script), 'utf8'), true, true);
      return importedFiles
        .filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => ({ script, file: join(dirname(script), fileName) }));
    });
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter(({ file }) => !existsSync(join(root, sourceOf(file))))).toEqual([]);
  });

  it('are where package.json calls them', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const called = Object.values(scripts).flatMap(
      (command) => command.match(/[\w./-]+\.(?:mjs|ts)\b/g) ?? [],
    );
    expect(called.length).toBeGreaterThan(30);
    expect(called.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
