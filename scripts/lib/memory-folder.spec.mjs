import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryFolder } from './memory-folder.mjs';

/** Makes and removes folders, as runs beside this one do. */
const OTHER_RUNS = `
  const { mkdirSync, rmdirSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const paths = Array.from({ length: 30 }, (_, at) => workerData + '/' + at);
  for (;;) {
    paths.forEach((path) => mkdirSync(path));
    paths.forEach((path) => rmdirSync(path));
  }
`;

// Elsewhere there is no such folder.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('memoryFolder', () => {
  let mount;
  let folder;

  beforeEach(() => {
    mount = mkdtempSync(join(tmpdir(), 'memory-folder-'));
    folder = join(mount, `gateway-tests-${process.getuid()}`);
  });
  afterEach(() => rmSync(mount, { recursive: true }));

  it('makes one for every user of this machine’s tests, once', () => {
    expect([memoryFolder(mount, 0), memoryFolder(mount, 0)]).toEqual([folder, folder]);
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  });

  it('removes what runs of another day left, and nothing newer', () => {
    mkdirSync(join(folder, 'old', 'deep'), { recursive: true });
    mkdirSync(join(folder, 'new'));
    utimesSync(join(folder, 'old'), 0, 0);
    memoryFolder(mount, 0);
    expect(['old', 'new'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
  });

  it('gives it also while other runs remove theirs', async () => {
    memoryFolder(mount, 0);
    const others = new Worker(OTHER_RUNS, { eval: true, workerData: folder });
    try {
      const given = Array.from({ length: 3000 }, () => memoryFolder(mount, 0));
      expect(new Set(given)).toEqual(new Set([folder]));
    } finally {
      await others.terminate();
    }
  });

  it.each([
    ['there is none', (at) => memoryFolder(join(at, 'none'), 0)],
    ['it is small', (at) => memoryFolder(at, Infinity)],
    ['its name leads elsewhere', (at) => (symlinkSync(tmpdir(), folder), memoryFolder(at, 0))],
  ])('gives none where %s', (_, ask) => {
    expect(ask(mount)).toBeUndefined();
  });
});
