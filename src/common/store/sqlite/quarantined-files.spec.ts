import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { deleteQuarantined, quarantineFile } from './quarantined-files.js';

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;

let folder: string;

beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quarantined-files-'))));
afterEach(() => rm(folder, { recursive: true }));

const path = (): string => join(folder, 'logs.db');

async function quarantine(daysAgo: number): Promise<string> {
  await writeFile(path(), 'x');
  await writeFile(`${path()}-wal`, 'x');
  return quarantineFile(path(), NOW - daysAgo * DAY_MS);
}

const left = async (): Promise<string[]> => (await readdir(folder)).sort().map((name) => join(folder, name));

it('deletes what was quarantined before a time, with its write-ahead log', async () => {
  await quarantine(8);
  const kept = await quarantine(6);
  deleteQuarantined(path(), NOW - 7 * DAY_MS);
  expect(await left()).toEqual([kept, `${kept}-wal`]);
});

it('keeps the latest two quarantined files', async () => {
  const [, second, , first] = [
    await quarantine(3),
    await quarantine(1),
    await quarantine(2),
    await quarantine(0.5),
  ];
  deleteQuarantined(path(), NOW - 7 * DAY_MS);
  expect(await left()).toEqual([second, `${second}-wal`, first, `${first}-wal`].sort());
});

it('touches no other file', async () => {
  const others = [
    'logs.db',
    'logs.db-wal',
    'logs.db.backup',
    'responses.db.corrupt-2000-01-01T00-00-00-000Z',
  ];
  for (const name of others) {
    await writeFile(join(folder, name), 'x');
  }
  deleteQuarantined(path(), NOW);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(others));
});
