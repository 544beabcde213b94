import { LoginRequiredError, RateLimitedError, RejectedError, UnavailableError } from '../upstream.errors.js';
import { type WarmPage } from './account/account-contexts.js';
import { askControl, type AskedPrompt } from './conversation/control-question.js';

/** Signs of life within the shortest wait of who watches the driver. */
const LIFE_SIGNS = 4;

/** What a session has for the look at its account. */
export interface ControlPages {
  /** Opens a further page of the account. */
  open(): Promise<WarmPage>;
  /** Closes it in the background, after what is still to be done with it. */
  dismiss(page: WarmPage, after?: Promise<void>): void;
}

/**
 * The failure of a prompt, as one of the prompt alone where it was refused and the account is not: a further page of it
 * opens without a login and gets an answer. What that page says of a limit or of the login, when it does not open, tells
 * more of the account than the refusal did.
 */
export async function withBlame(
  error: unknown,
  used: WarmPage,
  asked: AskedPrompt,
  pages: ControlPages,
): Promise<unknown> {
  const isRefusal = error instanceof LoginRequiredError && error.isOfConversation;
  // A site that has ended the login would ask for another one, at each such prompt.
  const isLoggedOut = asked.isRepeated === true || used.context.isOutdated(used.page);
  if (!isRefusal || used.page.guard.gone.aborted || (isLoggedOut && mayBeOfLogin(error))) {
    return error;
  }
  const { UPSTREAM_FIRST_BYTE_MS, UPSTREAM_IDLE_MS } = asked.site.settings;
  const shortestMs = Math.min(UPSTREAM_FIRST_BYTE_MS, UPSTREAM_IDLE_MS);
  // Else a look that takes longer than the site's answer may would pass for its silence, and the refusal be lost: the more so
  // where that came late.
  asked.showLife();
  const life = setInterval(asked.showLife, shortestMs / LIFE_SIGNS).unref();
  try {
    return await lookAt(error, used, asked, pages);
  } finally {
    clearInterval(life);
  }
}

async function lookAt(
  error: LoginRequiredError,
  used: WarmPage,
  asked: AskedPrompt,
  pages: ControlPages,
): Promise<unknown> {
  let control: WarmPage;
  try {
    control = await pages.open();
  } catch (failure) {
    return failure instanceof LoginRequiredError || failure instanceof RateLimitedError ? failure : error;
  }
  if (used.context.isOutdated(used.page)) {
    pages.dismiss(control);
    return error;
  }
  const { isAnswered, error: failure, ended } = await askControl(control.page, asked);
  pages.dismiss(control, ended);
  if (isAnswered) {
    return new RejectedError('invalid_request', 'The site refuses this prompt, and answers others.');
  }
  return failure instanceof RateLimitedError ? failure : error;
}

/** Whether the error may stem from the page's login, which is out of date, and not from the account or the site. */
export function mayBeOfLogin(error: unknown): boolean {
  return error instanceof LoginRequiredError
    ? error.fault === 'login_wall'
    : error instanceof UnavailableError;
}
