import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from '@rollup/wasm-node';
import { minify } from 'terser';
import { root } from '../lib/processes.mjs';

/** What processes begin with. */
const ENTRIES = ['main', 'compile-ahead'];
const PACKAGES = `${sep}node_modules${sep}`;
/** What Node would take in CommonJS, although it exists as ES modules, too. */
const AS_MODULES = [
  [/^rxjs$/, join(root, 'node_modules', 'rxjs', 'dist', 'esm', 'index.js')],
  [/^rxjs\/(\w+)$/, join(root, 'node_modules', 'rxjs', 'dist', 'esm', '$1', 'index.js')],
  [/^validator\/lib\/(\w+)$/, 'validator/es/lib/$1.js'],
];
/**
 * What is used of undici, which otherwise loads all of itself: `fetch`, WebSockets, caches and mocks, 3 MB of the heap. Its
 * index gives dispatchers their `request()`, too.
 */
const UNDICI = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import api from 'undici/lib/api/index.js';
Object.assign(Dispatcher.prototype, api);
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as buildConnector } from 'undici/lib/core/connect.js';
`;
/** The only package that is imported for what it does. Others that a module no longer uses are not loaded. */
const FOR_EFFECT = 'reflect-metadata';
/** Of modules that TypeScript has compiled, of Nest and of zod; none changes what is run. */
const HARMLESS = new Set([
  'CIRCULAR_DEPENDENCY',
  'INVALID_ANNOTATION',
  'THIS_IS_UNDEFINED',
  'UNUSED_EXTERNAL_IMPORT',
]);

/**
 * Writes the entries of a compiled gateway anew, with all ES modules that they import, those of packages included, in a few
 * files under `bundle`: to find and load two thousand takes a third of a start's processor time (decision 222). Packages in
 * CommonJS stay where they are, and so do the compiled modules, which threads and scripts begin with.
 *
 * @param {string} output folder with the compiled gateway
 */
export async function bundleEntries(output) {
  const input = Object.fromEntries(ENTRIES.map((name) => [name, join(output, `${name}.js`)]));
  const bundled = await rollup({
    input,
    plugins: [undici, packages, resolver, places(output)],
    makeAbsoluteExternalsRelative: true,
    onwarn: refuse,
  });
  await bundled.write({
    dir: output,
    entryFileNames: '[name].js',
    chunkFileNames: 'bundle/[name].js',
    hoistTransitiveImports: false,
    plugins: [shorter],
  });
  await bundled.close();
}

const resolver = nodeResolve({ exportConditions: ['node'], mainFields: ['es2015', 'module', 'main'] });

/** Takes of undici what is used. An import of anything else of it fails the build. */
const undici = {
  name: 'undici',
  resolveId: { order: 'pre', handler: (source) => (source === 'undici' ? '\0undici' : null) },
  load: (id) => (id === '\0undici' ? { code: UNDICI, moduleSideEffects: true } : null),
};

/** Takes what is an ES module and leaves CommonJS to Node. */
const packages = {
  name: 'packages',
  resolveId: {
    order: 'pre',
    async handler(source, importer, options) {
      if (isBuiltin(source)) {
        return { id: source, external: true, moduleSideEffects: false };
      }
      // The resolver asks what becomes of that which it has found.
      if (importer === undefined || 'node-resolve' in (options.custom ?? {})) {
        return null;
      }
      const module = AS_MODULES.reduce((name, [pattern, path]) => name.replace(pattern, path), source);
      const found = await this.resolve(module, importer, options);
      return found && (await isCommonJs(found.id))
        ? { ...found, external: true, moduleSideEffects: source === FOR_EFFECT }
        : found;
    },
  },
  /** What a package imports late is for those who use that part of it; here it would bring all of class-validator along. */
  resolveDynamicImport: (name, importer) =>
    importer.includes(PACKAGES) && /^[\w@]/.test(name) ? { id: name, external: true } : null,
};

async function isCommonJs(id) {
  return id.includes(PACKAGES) && !/^(import|export)\b/m.test(await readFile(id, 'utf8'));
}

/** Modules go on to name files relative to where they were. */
const places = (output) => ({
  name: 'places',
  resolveImportMeta(property, { moduleId, chunkId }) {
    if (property !== 'url') {
      throw new Error(`${moduleId} uses import.meta.${property}, which would name the bundle.`);
    }
    const place = relative(dirname(join(output, chunkId)), moduleId).replaceAll(sep, '/');
    return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
  },
});

/** Without comments, which the engine would keep, and in ASCII, which takes half the memory. Names and lines are for stacks. */
const shorter = {
  name: 'shorter',
  async renderChunk(code) {
    const format = { beautify: true, indent_level: 1, comments: false, ascii_only: true };
    const { code: short } = await minify(code, { module: true, compress: false, mangle: false, format });
    // `String.raw` is left as it is.
    const [foreign] = /.*[^\0-\x7f].*/.exec(short) ?? [];
    if (foreign !== undefined) {
      throw new Error(
        `The bundle would take twice the memory, for one character that is not ASCII: ${foreign}`,
      );
    }
    return { code: short, map: null };
  },
};

function refuse(warning) {
  // Packages use others if they are there, as Nest does.
  const isOptional = warning.code === 'UNRESOLVED_IMPORT' && warning.id.includes(PACKAGES);
  if (!HARMLESS.has(warning.code) && !isOptional) {
    throw new Error(`The bundle would not be right: ${warning.message}`);
  }
}
