import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fingerprint } from './build.mjs';

describe('fingerprint', () => {
  let folder;
  const write = (name, content) => writeFileSync(join(folder, name), content);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'build-'));
    mkdirSync(join(folder, 'src', 'deep', 'er'), { recursive: true });
    mkdirSync(join(folder, 'client', 'dashboard'), { recursive: true });
    mkdirSync(join(folder, 'scripts', 'build'), { recursive: true });
    const configuration = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];
    for (const name of [...configuration, 'src/main.ts']) {
      write(name, name);
    }
    write('src/deep/er/part.ts', 'part');
    write('client/dashboard/base.css', 'base');
    write('scripts/build/bundle.mjs', 'bundle');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['a source', () => write('src/deep/er/part.ts', 'trap')],
    ['a new source', () => write('src/new.ts', '')],
    ["a file of the dashboard's client", () => write('client/dashboard/base.css', '')],
    ['what follows the compiler', () => write('scripts/build/bundle.mjs', '')],
    ['a removed source', () => rmSync(join(folder, 'src/deep/er/part.ts'))],
    ['a renamed source', () => renameSync(join(folder, 'src/main.ts'), join(folder, 'src/niam.ts'))],
    [
      'text moved from one source to the next',
      () => (write('src/main.ts', ''), write('src/deep/er/part.ts', 'x')),
    ],
    ['the configuration of the compiler', () => write('tsconfig.json', '')],
    ['the configuration of Nest', () => write('nest-cli.json', '')],
    ['the packages', () => write('package-lock.json', '')],
  ])('changes with %s', (_what, change) => {
    const before = fingerprint(folder);
    change();
    expect(fingerprint(folder)).not.toBe(before);
  });

  it.each([
    ['the time of a file', () => utimesSync(join(folder, 'src/main.ts'), 1, 1)],
    ['the same content written again', () => write('src/main.ts', 'src/main.ts')],
    ['a test beside the code', () => write('src/main.spec.ts', 'new')],
  ])('does not change with %s', (_what, change) => {
    const before = fingerprint(folder);
    change();
    expect(fingerprint(folder)).toBe(before);
  });
});
