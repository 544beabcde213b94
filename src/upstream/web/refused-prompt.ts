import { LoginRequiredError, RejectedError, UnavailableError } from '../upstream.errors.js';
import { type AccountContexts, type WarmPage } from './account/account-contexts.js';
import { answersControl, type AskedPrompt } from './conversation/control-question.js';

/**
 * The failure of a prompt, as one of the prompt alone where it was refused and the account is not: a further page of it
 * opens without a login and gets an answer. A page that does not open tells more of the account than the refusal did.
 */
export async function withBlame(
  error: unknown,
  used: WarmPage,
  contexts: AccountContexts,
  asked: AskedPrompt,
): Promise<unknown> {
  const isRefusal = error instanceof LoginRequiredError && error.isOfConversation;
  // A site that has ended the login would ask for another one, at each such prompt.
  const isLoggedOut = asked.isRepeated === true || used.context.isOutdated(used.page);
  if (!isRefusal || used.page.guard.gone.aborted || (isLoggedOut && mayBeOfLogin(error))) {
    return error;
  }
  let control: WarmPage;
  try {
    control = await contexts.openPage(asked.account, asked.context.signal);
  } catch (failure) {
    return failure instanceof LoginRequiredError ? failure : error;
  }
  try {
    const isLoginKept = !used.context.isOutdated(used.page);
    return isLoginKept && (await answersControl(control.page, asked))
      ? new RejectedError('invalid_request', 'The site refuses this prompt, and answers others.')
      : error;
  } finally {
    await control.context.closePage(control.page);
  }
}

/** Whether the error may stem from the page's login, which is out of date, and not from the account or the site. */
export function mayBeOfLogin(error: unknown): boolean {
  return error instanceof LoginRequiredError
    ? error.fault === 'login_wall'
    : error instanceof UnavailableError;
}
