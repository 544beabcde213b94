import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { recipeJsonSchema } from './recipe-schema.js';

describe('recipeJsonSchema', () => {
  it('is what docs/site-recipe.schema.json says (else: npm run docs)', async () => {
    const published: unknown = JSON.parse(await readFile('docs/site-recipe.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(recipeJsonSchema())));
  });

  it('refuses keys that no recipe has', () => {
    expect(recipeJsonSchema()).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['name', 'authorised', 'allowedOrigins', 'login', 'newChat', 'prompt', 'send', 'capture'],
    });
  });
});
