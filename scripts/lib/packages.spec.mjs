import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packagesAreCurrent } from './packages.mjs';

describe('packagesAreCurrent', () => {
  let folder;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'packages-'));
    mkdirSync(join(folder, 'node_modules'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const lock = (packages) => writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const installed = (packages) =>
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));

  const a = { version: '1.0.0', integrity: 'sha512-a' };
  const forOtherSystem = { version: '1.0.0', integrity: 'sha512-o', optional: true };

  it.each([
    ['what the lock says', { 'node_modules/a': a }, true],
    ['more than the lock says', { 'node_modules/a': a, 'node_modules/b': a }, true],
    ['another version', { 'node_modules/a': { ...a, version: '1.0.1' } }, false],
    ['another content', { 'node_modules/a': { ...a, integrity: 'sha512-b' } }, false],
    ['nothing', {}, false],
  ])('sees %s', (_what, packages, expected) => {
    lock({ '': { name: 'project' }, 'node_modules/a': a, 'node_modules/o': forOtherSystem });
    installed(packages);
    expect(packagesAreCurrent(folder)).toBe(expected);
  });

  it('does not take an optional package of another version for the right one', () => {
    lock({ 'node_modules/o': forOtherSystem });
    installed({ 'node_modules/o': { ...forOtherSystem, version: '0.9.0' } });
    expect(packagesAreCurrent(folder)).toBe(false);
  });

  it('sees that nothing was ever installed, or not to the end', () => {
    lock({ 'node_modules/a': a });
    expect(packagesAreCurrent(folder)).toBe(false);
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), '{"packages": {');
    expect(packagesAreCurrent(folder)).toBe(false);
  });
});
