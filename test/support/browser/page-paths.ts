import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../client/dashboard/pages', import.meta.url));

/** Paths of the dashboard's pages below `/dashboard`: one for each HTML file of the client, the overview's is empty. */
export const PAGE_PATHS: readonly string[] = readdirSync(FOLDER)
  .map((name) => name.replace(/\.html$/, ''))
  .map((name) => (name === 'overview' ? '' : `/${name}`));
