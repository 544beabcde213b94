import { redactSecrets } from '../../common/network/known-secrets.js';
import { secretsOf } from '../../upstream/credential-secrets.js';
import { type LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type Credentials, type LoginFailure } from './account.js';

/** Pages set titles of any length. */
const MAX_TITLE_LENGTH = 200;

/**
 * The failure that the operator is shown, without secrets.
 * @param credentials of the account; the page may repeat them
 * @param at Unix time in milliseconds
 */
export function toLoginFailure(
  { fault, message, evidence }: LoginRequiredError,
  credentials: Credentials,
  at: number,
): LoginFailure {
  return {
    fault,
    message,
    at,
    ...(evidence && {
      url: withoutQuery(evidence.url),
      title: redactSecrets(evidence.title, secretsOf(credentials)).slice(0, MAX_TITLE_LENGTH),
    }),
    hasScreenshot: evidence?.screenshot !== undefined,
  };
}

/**
 * Scheme, host and path of a URL: user, query and fragment may carry tokens. The scheme alone where there is no host;
 * empty for a text that is no URL.
 */
export function withoutQuery(url: string): string {
  if (!URL.canParse(url)) {
    return '';
  }
  const { protocol, host, pathname } = new URL(url);
  return host === '' ? protocol : `${protocol}//${host}${pathname}`;
}
