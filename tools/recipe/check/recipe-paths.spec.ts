import { describe, expect, it } from '@jest/globals';
import { loadRecipe } from '../../../src/upstream/web/recipe/recipe-loader.js';
import { type RecipeStep } from '../../../src/upstream/web/recipe/recipe-step.js';
import { stepPath } from './recipe-paths.js';

describe('stepPath', () => {
  it('finds the steps of each list by identity', async () => {
    const recipe = await loadRecipe('recipes/sandbox.json', ['site.origin']);
    const steps = [
      ...recipe.login.steps,
      ...recipe.model,
      ...recipe.thinking.on,
      ...recipe.thinking.off,
      ...recipe.send,
    ];
    expect(steps.map((step) => stepPath(recipe, step))).toEqual([
      'login.steps[0]',
      'login.steps[1]',
      'login.steps[2]',
      'login.steps[3]',
      'model[0]',
      'thinking.on[0]',
      'thinking.off[0]',
      'send[0]',
    ]);
  });

  it('names the keys that other steps are made of', async () => {
    const recipe = await loadRecipe('recipes/sandbox.json', ['site.origin']);
    const common = { optional: false, timeoutMs: 1000 };
    const made: RecipeStep[] = [
      { action: 'goto', url: recipe.newChat.url, ...common },
      { action: 'click', selector: recipe.dismiss[0] ?? '', hidden: false, ...common },
      { action: 'waitFor', selector: recipe.newChat.ready, gone: false, ...common },
    ];
    expect(made.map((step) => stepPath(recipe, step))).toEqual([
      'newChat.url',
      'dismiss[0]',
      'newChat.ready',
    ]);
  });
});
