import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProfileFolders } from './profile-folders.js';

describe('ProfileFolders', () => {
  let folder: string;
  let root: string;
  let profiles: ProfileFolders;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'profiles-spec-'));
    root = path.join(folder, 'data', 'profiles');
    profiles = new ProfileFolders(root);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('removes leftovers of a killed process, before the first start only', async () => {
    await mkdir(path.join(root, 'browser-old', 'Default'), { recursive: true });
    await writeFile(path.join(root, 'other'), '');
    const [first, second] = [await profiles.create(undefined), await profiles.create(undefined)];
    const names = [first, second].map((made) => path.basename(made));
    expect((await readdir(root)).sort()).toEqual([...names, 'other'].sort());
  });

  it('recovers when the folder could not be made at first', async () => {
    await writeFile(path.join(folder, 'data'), 'in the way');
    await expect(profiles.create(undefined)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await rm(path.join(folder, 'data'));
    await expect(profiles.create(undefined)).resolves.toContain(root);
  });

  it('leaves nothing behind', async () => {
    await profiles.remove(await profiles.create(undefined));
    await profiles.close();
    expect(await readdir(path.dirname(root))).toEqual([]);
  });
});
