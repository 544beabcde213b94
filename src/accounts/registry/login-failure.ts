import { redactSecrets } from '../../common/network/redact.js';
import { secretsOf } from '../../upstream/credential-secrets.js';
import { type LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type Credentials, type LoginFailure, originAndPath } from './account.js';

/** Of a page, which may have one of any length. */
const MAX_TITLE_LENGTH = 200;

/**
 * What the operator is shown of an error.
 * @param credentials of the account, which the page may repeat
 * @param at wall-clock milliseconds
 */
export function toLoginFailure(
  { reason, message, evidence }: LoginRequiredError,
  credentials: Credentials,
  at: number,
): LoginFailure {
  return {
    reason,
    message,
    at,
    ...(evidence && {
      url: originAndPath(evidence.url),
      title: redactSecrets(evidence.title, secretsOf(credentials)).slice(0, MAX_TITLE_LENGTH),
    }),
    hasScreenshot: evidence?.screenshot !== undefined,
  };
}
