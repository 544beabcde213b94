import { untilAborted } from '../../../common/time/until-aborted.js';
import { localFailure } from '../../connect-failure.js';
import { UnavailableError } from '../../upstream.errors.js';
import { type LaunchedBrowser } from '../browser/launched-browser.js';
import { withDeadline } from '../timing/deadline.js';

/** Generous: the supervisor finds a hung browser much sooner, and its end rejects the operations here. */
export const BROWSER_TIMEOUT_MS = 15_000;

/** The outcome of an operation of the browser; rejects with UnavailableError at the browser's end or after 15 s. */
export async function inBrowser<T>(launched: LaunchedBrowser, operation: Promise<T>): Promise<T> {
  try {
    return await withDeadline(
      untilAborted(operation, launched.gone),
      BROWSER_TIMEOUT_MS,
      () => new UnavailableError('browser_hung', 'The browser does not answer in time.'),
    );
  } catch (error) {
    throw launched.gone.aborted || error instanceof UnavailableError
      ? (launched.gone.reason ?? error)
      : (localFailure(error) ??
          new UnavailableError('browser_failed', 'The browser refused an operation.', { cause: error }));
  }
}
