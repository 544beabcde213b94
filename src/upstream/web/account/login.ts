import { unusableCredentials } from '../../credential-problem.js';
import { LoginRequiredError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type ChatPage } from '../conversation/chat-page.js';
import { untilFound } from '../page/until-found.js';
import { type SiteRecipe } from '../recipe/site-recipe.js';
import { siteCredentials } from './site-credentials.js';

/** Logs an account in on a page. Rejects with LoginRequiredError if it lacks a credential, or the site does not take it. */
export async function logIn(
  page: ChatPage,
  recipe: SiteRecipe,
  credentials: UpstreamAccount['credentials'],
  signal: AbortSignal,
): Promise<void> {
  const { login } = recipe;
  const lacking = siteCredentials(recipe).find(
    ({ name, isRequired }) => isRequired && !Object.hasOwn(credentials, name),
  );
  if (lacking) {
    throw unusableCredentials({ name: lacking.name, detail: 'is missing' });
  }
  await page.runner(signal).run(login.steps);
  const result = await untilFound(() => look(page, login), page.guard, login.timeoutMs, signal);
  if (result === 'failure') {
    throw new LoginRequiredError('invalid_credentials', 'The site does not accept the login.');
  }
  if (result === 'blocked') {
    throw new LoginRequiredError('blocked', 'The site shows a challenge.');
  }
  if (result === undefined) {
    throw (
      page.guard.document.formFailure('log in') ??
      new LoginRequiredError('login_failed', 'The login ended on a page that the recipe does not know.')
    );
  }
}

type Outcome = 'success' | 'failure' | 'blocked';

/** The login's outcome by the signs that the page shows now; undefined while there is none. */
async function look(page: ChatPage, login: SiteRecipe['login']): Promise<Outcome | undefined> {
  if (await page.signs.shows([login.success])) {
    return 'success';
  }
  if (await page.signs.shows(login.failure)) {
    return 'failure';
  }
  return (await page.signs.isBlocked()) ? 'blocked' : undefined;
}
