import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const TESTED = pathToFileURL(join(import.meta.dirname, 'import-as-written.ts')).href;

describe('importAsWritten', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'import-as-written-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a module beside files; returns what it prints. */
  function run(files: Readonly<Record<string, string>>, code: string): string {
    for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
      writeFileSync(join(folder, name), text);
    }
    writeFileSync(join(folder, 'run.js'), `import { importAsWritten } from '${TESTED}';\n${code}`);
    return execFileSync(process.execPath, [join(folder, 'run.js')], { encoding: 'utf8', stdio: 'pipe' });
  }

  it('takes relative paths as they are written while it runs, and has them looked up afterwards', () => {
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real', 'place.js'), 'export const place = import.meta.url;');
    symlinkSync(join('real', 'place.js'), join(folder, 'link.js'));
    const printed = run(
      { 'first.js': "export { place } from './link.js';", 'second.js': "export { place } from './link.js';" },
      `const first = await importAsWritten(() => import('./first.js'));
       const second = await import('./second.js');
       process.stdout.write(JSON.stringify([first.place, second.place]));`,
    );
    const urls = ['link.js', join('real', 'place.js')].map((path) => pathToFileURL(join(folder, path)).href);
    expect(JSON.parse(printed)).toEqual(urls);
  });

  it('tells of a file that is missing, and looks up what follows as ever', () => {
    const printed = run(
      { 'first.js': "import './missing.js';", 'second.js': 'export const isThere = true;' },
      `const error = await importAsWritten(() => import('./first.js')).catch((reason) => reason);
       const { isThere } = await import('./second.js');
       process.stdout.write(JSON.stringify([error.code, error.message.includes('missing.js'), isThere]));`,
    );
    expect(JSON.parse(printed)).toEqual(['ENOENT', true, true]);
  });
});
