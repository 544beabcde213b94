import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { takePrivateFile, takePrivateFolder } from './private-path.js';

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'private-'));
  folder = join(parent, 'data');
});

afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

/** A folder with these files and this mode. */
function given(mode: number, ...names: string[]): void {
  mkdirSync(folder);
  names.forEach((name) => writeFileSync(join(folder, name), ''));
  chmodSync(folder, mode);
}

describe('takePrivateFolder', () => {
  it('makes a folder for its owner only', () => {
    takePrivateFolder(folder, 'own.db');
    expect(modeOf(folder)).toBe(0o700);
  });

  it.each([
    ['an empty folder', []],
    ['an empty volume', ['lost+found']],
    ['a folder of its own', ['own.db', 'other']],
  ])('closes %s to others', (_what, names) => {
    given(0o777, ...names);
    takePrivateFolder(folder, 'own.db');
    expect(modeOf(folder)).toBe(0o700);
  });

  it('leaves the mode of a foreign folder as it is', () => {
    given(0o755, 'other');
    takePrivateFolder(folder, 'own.db');
    expect(modeOf(folder)).toBe(0o755);
  });

  it('refuses a foreign folder that all users may write to', () => {
    given(0o1777, 'other');
    expect(() => takePrivateFolder(folder, 'own.db')).toThrow('all users may write to it');
    expect(modeOf(folder)).toBe(0o1777);
  });

  it.each(['/', tmpdir()])('refuses %s', (path) => {
    const mode = modeOf(path);
    expect(() => takePrivateFolder(path, 'own.db')).toThrow('belongs to the system');
    expect(modeOf(path)).toBe(mode);
  });
});

describe('takePrivateFile', () => {
  it('makes a file for its owner only, and keeps the content of an existing one', () => {
    const path = join(parent, 'file');
    takePrivateFile(path);
    expect(modeOf(path)).toBe(0o600);
    writeFileSync(path, 'content');
    chmodSync(path, 0o644);
    takePrivateFile(path);
    expect([modeOf(path), statSync(path).size]).toEqual([0o600, 7]);
  });
});
