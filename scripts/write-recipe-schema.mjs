// Writes the JSON Schema of site recipes to docs/, from the built code: npm run build && node scripts/write-recipe-schema.mjs
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { recipeJsonSchema } from '../dist/upstream/web/recipe/recipe-schema.js';

const file = new URL('../docs/site-recipe.schema.json', import.meta.url);
const options = await resolveConfig(file);
await writeFile(file, await format(JSON.stringify(recipeJsonSchema()), { ...options, parser: 'json' }));
