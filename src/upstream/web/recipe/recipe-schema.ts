import { z } from 'zod';
import { siteRecipe } from './site-recipe.js';

/** The JSON Schema of a recipe file, for editors and other tools; published as docs/site-recipe.schema.json. */
export function recipeJsonSchema(): object {
  return { title: 'Site recipe', ...z.toJSONSchema(siteRecipe, { io: 'input', reused: 'ref' }) };
}
