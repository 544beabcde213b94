import { setTimeout as pause } from 'node:timers/promises';
import { LoginRequiredError, UnavailableError } from '../upstream.errors.js';
import { type ChatPage } from './chat-page.js';
import { type SiteRecipe } from './recipe/site-recipe.js';

const POLL_MS = 50;

/** Logs an account in on a page. Rejects with LoginRequiredError if the site does not take the login. */
export async function logIn(page: ChatPage, { login }: SiteRecipe, signal: AbortSignal): Promise<void> {
  await page.runner(signal).run(login.steps);
  const result = await outcome(page, login, signal);
  if (result === 'failure') {
    throw new LoginRequiredError('invalid_credentials', 'The site does not accept the login.');
  }
  if (result === 'blocked') {
    throw new LoginRequiredError('blocked', 'The site shows a challenge.');
  }
  if (result === 'none') {
    throw new LoginRequiredError('login_failed', 'The login leads nowhere that the recipe knows.');
  }
}

type Outcome = 'success' | 'failure' | 'blocked' | 'none';

/** Which sign shows first. Polled, since the login itself leads from page to page. */
async function outcome(page: ChatPage, login: SiteRecipe['login'], signal: AbortSignal): Promise<Outcome> {
  const deadline = AbortSignal.timeout(login.timeoutMs);
  while (!deadline.aborted) {
    signal.throwIfAborted();
    page.guard.gone.throwIfAborted();
    const found = await look(page, login).catch(unlessNavigating);
    if (found !== 'none') {
      return found;
    }
    await pause(POLL_MS);
  }
  return 'none';
}

async function look(page: ChatPage, login: SiteRecipe['login']): Promise<Outcome> {
  if (await page.signs.shows([login.success])) {
    return 'success';
  }
  if (await page.signs.shows(login.failure)) {
    return 'failure';
  }
  return (await page.signs.isBlocked()) ? 'blocked' : 'none';
}

/** A page that is just being replaced cannot be looked at; the next one can. */
function unlessNavigating(error: unknown): Outcome {
  if (error instanceof UnavailableError && error.reason === 'page_failed') {
    return 'none';
  }
  throw error;
}
