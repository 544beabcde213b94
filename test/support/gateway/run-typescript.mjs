import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

/** Compiled sources by the hash of all that they depend on; a second of CPU less for each later child. */
const CACHE = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'run-typescript');
/** Stacks do without source maps; a debugger shows the sources. They take a third of a child's start. */
const IS_DEBUGGED = process.execArgv.some((flag) => flag.startsWith('--inspect'));
mkdirSync(CACHE, { recursive: true });

/**
 * Lets `node --import` run the project's sources as they are, decorators included, in a child process of a test.
 * Node itself strips types only.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isOwn = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return next(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) {
      return next(url, context);
    }
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
  },
});

function compiled(filename) {
  const text = readFileSync(filename, 'utf8');
  const options = {
    filename,
    module: { type: 'es6' },
    sourceMaps: IS_DEBUGGED && 'inline',
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  };
  const key = createHash('sha256')
    .update(JSON.stringify([version, options, text]))
    .digest('hex');
  const cached = join(CACHE, `${key}.js`);
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const { code } = transformSync(text, options);
    // In one step, since several children may start at a time.
    writeFileSync(`${cached}.${process.pid}`, code);
    renameSync(`${cached}.${process.pid}`, cached);
    return code;
  }
}
