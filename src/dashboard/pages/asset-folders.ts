import { join } from 'node:path';
import { projectFolder } from '../../common/files/project-folder.js';

const ROOT = '/dashboard/assets';

/** Folders of the dashboard's files by the path that they are served at: its own, and two libraries from their packages. */
export const ASSET_FOLDERS: readonly (readonly [path: string, folder: string])[] = [
  [ROOT, join(projectFolder(), 'client', 'dashboard', 'assets')],
  [`${ROOT}/uplot`, join(projectFolder(), 'node_modules', 'uplot', 'dist')],
  [`${ROOT}/diff`, join(projectFolder(), 'node_modules', 'diff', 'libesm')],
];
