import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

/* `npm run docs:recipe`: writes the JSON Schema of site recipes to `docs/site-recipe.schema.json`. */
try {
  await ensureRuntime();
  const { build } = await import('./build/build.mjs');
  await build();
  const { recipeJsonSchema } = await import('../dist/upstream/web/recipe/recipe-schema.js');
  const { format, resolveConfig } = await import('prettier');

  const path = join(root, 'docs', 'site-recipe.schema.json');
  const options = { ...(await resolveConfig(path)), filepath: path };
  writeFileSync(path, await format(JSON.stringify(recipeJsonSchema()), options));
} catch (error) {
  fail(error);
}
