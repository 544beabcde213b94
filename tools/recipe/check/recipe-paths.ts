import { type RecipeStep } from '../../../src/upstream/web/recipe/recipe-step.js';
import { type SiteRecipe } from '../../../src/upstream/web/recipe/site-recipe.js';

/** The lists of steps in a recipe, with their paths. */
export function stepLists(recipe: SiteRecipe): readonly (readonly [string, readonly RecipeStep[]])[] {
  const { login, newChat, model, thinking, send, stop, cleanUp } = recipe;
  return [
    ['login.steps', login.steps],
    ['newChat.steps', newChat.steps],
    ['model', model],
    ['thinking.on', thinking.on],
    ['thinking.off', thinking.off],
    ['send', send],
    ['stop', stop],
    ['cleanUp', cleanUp],
  ];
}

/** Path of a step in the recipe, e.g. `login.steps[2]`. */
export function stepPath(recipe: SiteRecipe, step: RecipeStep): string {
  for (const [path, list] of stepLists(recipe)) {
    const index = list.indexOf(step);
    if (index >= 0) {
      return `${path}[${index}]`;
    }
  }
  return madeStepPath(recipe, step);
}

/** Path of the key from which the driver made a step. */
function madeStepPath({ newChat, dismiss }: SiteRecipe, step: RecipeStep): string {
  switch (step.action) {
    case 'goto':
      return 'newChat.url';
    case 'click':
      return `dismiss[${dismiss.indexOf(step.selector)}]`;
    case 'waitFor':
      return step.selector === newChat.ready ? 'newChat.ready' : 'newChat';
    case 'fill':
    case 'press':
    case 'select':
    case 'upload':
    case 'request':
      return step.action;
  }
}
