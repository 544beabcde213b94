import { type CredentialField } from '../../upstream-driver.js';
import { templateNames } from '../recipe/recipe-template.js';
import { type SiteRecipe } from '../recipe/site-recipe.js';

/**
 * The credentials that a recipe makes use of, in order of first use, e.g. `user` for `{{account.user}}`. Those that are filled
 * in on each way from a login to a new chat are required; an optional step may be skipped, and with it what it enters.
 */
export function siteCredentials(recipe: SiteRecipe): readonly CredentialField[] {
  const { login, newChat } = recipe;
  const required = credentialNames([withCertainSteps(login), withCertainSteps(newChat)]);
  return [...credentialNames(recipe)].map((name) => ({ name, isRequired: required.has(name) }));
}

/** Of an optional step the selector alone is read each time: to see whether its element shows. */
function withCertainSteps(part: Pick<SiteRecipe['login'], 'steps'>): object {
  const steps = part.steps.map((step) => (step.optional ? 'selector' in step && step.selector : step));
  return { ...part, steps };
}

function credentialNames(part: object): Set<string> {
  const names = templateNames(JSON.stringify(part));
  return new Set(names.flatMap((name) => (name.startsWith('account.') ? name.slice('account.'.length) : [])));
}
