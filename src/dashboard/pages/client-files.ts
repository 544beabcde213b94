import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { projectFolder } from '../../common/files/project-folder.js';
import { ASSET_FOLDERS } from './asset-folders.js';

/** Path of the scripts and styles of the built client; their names have hashes, so they never change. */
export const BUILT_AT = '/dashboard/assets/built';
/** Stands for the paths of the pages, whose routes name them. */
export const PAGES_AT = 'pages';

/** Folders of the dashboard's files: as `npm run build` made them, or as they are written. */
@Injectable()
export class ClientFiles {
  /** Folder that `scripts/build/build-client.mjs` wrote; undefined in development, whose build has none. */
  built: string | undefined = besideThisBuild();

  /** Folders by the path that their files are served at. */
  get folders(): readonly (readonly [path: string, folder: string])[] {
    const { built } = this;
    return built === undefined
      ? [...ASSET_FOLDERS, [PAGES_AT, join(projectFolder(), 'client', 'dashboard', 'pages')]]
      : [...ASSET_FOLDERS, [BUILT_AT, join(built, 'assets')], [PAGES_AT, join(built, 'pages')]];
  }
}

/** `dist/client`, for a module that runs in `dist/dashboard/pages`. */
function besideThisBuild(): string | undefined {
  const folder = fileURLToPath(new URL('../../client', import.meta.url));
  return existsSync(folder) ? folder : undefined;
}
