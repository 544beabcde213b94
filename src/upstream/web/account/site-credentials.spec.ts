import { describe, expect, it } from '@jest/globals';
import { loadRecipe } from '../recipe/recipe-loader.js';
import { type RecipeStep } from '../recipe/recipe-step.js';
import { type SiteRecipe } from '../recipe/site-recipe.js';
import { siteCredentials } from './site-credentials.js';

const USER_AND_PASSWORD = [
  { name: 'user', isRequired: true },
  { name: 'password', isRequired: true },
];

const sandbox = await loadRecipe('recipes/sandbox.json', ['site.origin']);

function withSteps(...steps: RecipeStep[]): SiteRecipe {
  return { ...sandbox, login: { ...sandbox.login, steps } };
}

function fill(name: string, optional = false, selector = '#input'): RecipeStep {
  return { action: 'fill', selector, value: `{{account.${name}}}`, hidden: false, optional, timeoutMs: 1000 };
}

describe('siteCredentials', () => {
  it.each(['sandbox', 'chainlit', 'gradio', 'open-webui', 'sillytavern'])('has those of %s', async (name) => {
    const recipe = await loadRecipe(`recipes/${name}.json`, ['site.origin']);
    expect(siteCredentials(recipe)).toEqual(USER_AND_PASSWORD);
  });

  it('requires nothing that an optional step alone enters, but what its selector names', () => {
    const recipe = withSteps(fill('code'), fill('team', true), fill('otp', true, '#of-{{account.user}}'));
    expect(siteCredentials(recipe)).toEqual([
      { name: 'code', isRequired: true },
      { name: 'team', isRequired: false },
      { name: 'user', isRequired: true },
      { name: 'otp', isRequired: false },
    ]);
  });

  it('requires what leads to a new chat, but not what a prompt may meet', () => {
    const { newChat, thinking } = sandbox;
    expect(
      siteCredentials({
        ...withSteps(),
        newChat: { ...newChat, url: '{{site.origin}}/{{ account.space }}' },
        thinking: { ...thinking, on: [fill('budget')] },
      }),
    ).toEqual([
      { name: 'space', isRequired: true },
      { name: 'budget', isRequired: false },
    ]);
  });

  it('has none where the recipe names none', () => {
    expect(siteCredentials(withSteps())).toEqual([]);
  });
});
