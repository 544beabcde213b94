import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project-folder.js';

/** The version in `package.json`. */
export const PROJECT_VERSION = readVersion();

function readVersion(): string {
  const text = readFileSync(join(projectFolder(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
