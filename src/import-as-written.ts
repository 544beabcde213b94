import { registerHooks } from 'node:module';

/**
 * Runs an import in which relative paths of ES modules are taken as they are written. Node looks each of them up on the
 * disk, 2,500 at a start, only to say whether the file exists and to follow symbolic links, which no package here has
 * inside. Imports after this one are looked up as ever.
 */
export async function importAsWritten<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && isCompiledModule(context.parentURL, context.conditions)
        ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
        : next(specifier, context),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}

/** In sources that are run uncompiled, as tests do, paths name files that do not exist. */
function isCompiledModule(importer: string | undefined, conditions: readonly string[]): boolean {
  return importer?.endsWith('.js') === true && conditions.includes('import');
}
