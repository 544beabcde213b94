import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from './project-folder.js';

describe('projectFolder', () => {
  it('is the nearest folder with a package.json', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-project-'));
    try {
      mkdirSync(join(folder, 'dist', 'start'), { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{}');
      expect(projectFolder(join(folder, 'dist', 'start'))).toBe(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says so where there is none, as of a build that was copied alone', () => {
    const { root } = parse(process.cwd());
    expect(() => projectFolder(root)).toThrow(
      `There is no package.json above ${root}: the gateway runs only`,
    );
  });
});
