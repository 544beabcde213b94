import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { rollup } from '@rollup/wasm-node';
import { minify } from 'terser';
import { root } from '../lib/processes.mjs';

const CLIENT = join(root, 'client', 'dashboard');
const ASSETS = join(CLIENT, 'assets');
const SERVED_AT = '/dashboard/assets/';
const BUILT_AT = `${SERVED_AT}built/`;
const WORKER = 'data/live/live-worker.js';
const STYLESHEETS = / *<link rel="stylesheet" href="([^"]+)" \/>\n/g;
/** Chunks with less code than this are joined with others: an answer costs 1 KB of headers. More would load code of other pages. */
const MIN_CHUNK_BYTES = 5_000;

/** Folders under `assets` that are served from packages. */
const PACKAGES = {
  uplot: join(root, 'node_modules', 'uplot', 'dist'),
  diff: join(root, 'node_modules', 'diff', 'libesm'),
};

/**
 * Builds the dashboard's client: per page one script with what it shares with others in a few chunks, and one stylesheet,
 * all with hashes in their names, and pages that name them.
 *
 * @param {string} output folder for `pages` and `assets`; what is in it is removed
 */
export async function buildClient(output) {
  await rm(output, { recursive: true, force: true });
  await mkdir(join(output, 'pages'), { recursive: true });
  const names = (await readdir(join(CLIENT, 'pages'))).map((name) => basename(name, '.html'));
  const assets = join(output, 'assets');
  const pages = names.map((name) => [name, join(ASSETS, 'pages', `${name}.js`)]);
  const chunks = await bundle(Object.fromEntries(pages), assets);
  // Apart from the pages: a worker must not be given a chunk with code for a page in it.
  const [[worker]] = await bundle({ 'live-worker': join(ASSETS, WORKER) }, assets);
  for (const name of names) {
    const page = await readFile(join(CLIENT, 'pages', `${name}.html`), 'utf8');
    const entry = [...chunks.values()].find((chunk) => chunk.isEntry && chunk.name === name);
    const parts = [...importsOf(entry, chunks)].map((file) => link('modulepreload', file));
    const head = [link('stylesheet', await joinStyles(name, page, assets)), ...parts];
    const built = page
      .replaceAll(STYLESHEETS, () => head.splice(0).join(''))
      .replace(`${SERVED_AT}pages/${name}.js`, BUILT_AT + entry.fileName)
      .replace(SERVED_AT + WORKER, BUILT_AT + worker);
    await writeFile(join(output, 'pages', `${name}.html`), built);
  }
}

const link = (rel, file) => `    <link rel="${rel}" href="${BUILT_AT}${file}" />\n`;

/** @returns {Promise<Map<string, import('@rollup/wasm-node').OutputChunk>>} the chunks by the names of their files */
async function bundle(input, dir) {
  const bundled = await rollup({ input, plugins: [packages], logLevel: 'warn' });
  const { output } = await bundled.write({
    dir,
    hashCharacters: 'base36',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: 'part-[hash].js',
    experimentalMinChunkSize: MIN_CHUNK_BYTES,
    plugins: [shorter],
  });
  await bundled.close();
  return new Map(output.map((chunk) => [chunk.fileName, chunk]));
}

/** Finds the libraries where the server serves them from. */
const packages = {
  name: 'packages',
  resolveId(source, importer) {
    const path = importer && resolve(importer, '..', source);
    const [folder, ...rest] = path?.startsWith(ASSETS + sep) ? path.slice(ASSETS.length + 1).split(sep) : [];
    return folder in PACKAGES && !existsSync(path) ? join(PACKAGES[folder], ...rest) : null;
  },
};

const shorter = {
  name: 'shorter',
  renderChunk: async (code) => ({ code: (await minify(code, { module: true })).code, map: null }),
};

/** Files that a chunk cannot start without, which the browser would find one after the other. */
function importsOf(chunk, chunks, found = new Set()) {
  for (const file of chunk.imports.filter((name) => !found.has(name))) {
    importsOf(chunks.get(file), chunks, found.add(file));
  }
  return found;
}

/** Writes the stylesheets of a page as one, in their order. @returns {Promise<string>} its file */
async function joinStyles(name, page, dir) {
  const paths = [...page.matchAll(STYLESHEETS)].map(([, href]) => sourceOf(href));
  const text = (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const file = `${name}-${hash}.css`;
  await writeFile(join(dir, file), text);
  return file;
}

function sourceOf(href) {
  const [folder, ...rest] = href.slice(SERVED_AT.length).split('/');
  return join(PACKAGES[folder] ?? join(ASSETS, folder), ...rest);
}
