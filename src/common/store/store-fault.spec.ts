import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { storeFault } from './store-fault.js';

const sqlite = (errcode: number): Error => Object.assign(new Error('disk I/O error'), { errcode });
const folder = mkdtempSync(join(tmpdir(), 'fault-'));

afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['held by another process', sqlite(5), folder, 'another process holds gateway.db'],
  ['on a full disk', sqlite(13), folder, 'the disk is full'],
  ['without room for its lock', Object.assign(new Error(), { code: 'ENOSPC' }), folder, 'the disk is full'],
  ['without its folder', sqlite(778), join(folder, 'gone'), 'its folder is gone'],
  ['that may only be read', sqlite(8), folder, 'its file is read-only'],
  ['on a disk that fails', sqlite(778), folder, 'the disk fails to read or write'],
])('says what is wrong with a store %s', (_what, error, where, what) => {
  expect(storeFault(error, where)?.what).toBe(what);
});

it('leaves other errors to their own words', () => {
  expect(storeFault(new Error('it is damaged'), folder)).toBeUndefined();
});
