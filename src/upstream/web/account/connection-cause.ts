import { connectFailure, isBrokenConnection } from '../../connect-failure.js';
import { LocalResourceError, UnavailableError } from '../../upstream.errors.js';
import { type ContextBoundary } from '../browser/boundary/browser-boundary.js';
import { RefusedError } from '../browser/boundary/egress-policy.js';

/** The boundary is the browser's proxy, and listens on loopback. */
const NO_BOUNDARY = 'net::ERR_PROXY_CONNECTION_FAILED';

/**
 * The failure of a page to reach its site, with the cause that the browser was not told; others are left as they are.
 * @param boundary of the page's context; undefined for a remote browser
 */
export function withCause(error: unknown, boundary: Pick<ContextBoundary, 'failure'> | undefined): unknown {
  if (!(error instanceof UnavailableError) || !boundary) {
    return error;
  }
  if (error.message.includes(NO_BOUNDARY)) {
    return new LocalResourceError(error);
  }
  const cause = boundary.failure;
  if (!cause) {
    return error;
  }
  const message = `${error.message} (${describe(cause)})`;
  if (error.fault === 'connect_failed') {
    return cause instanceof RefusedError
      ? new UnavailableError('page_failed', message, { cause })
      : connectFailure(cause, message);
  }
  if (error.fault !== 'stream_reset' || cause instanceof RefusedError) {
    return error;
  }
  return isBrokenConnection(cause) ? error : connectFailure(cause, message);
}

/** An error for several addresses has no message of its own. */
function describe(cause: Error): string {
  return cause instanceof AggregateError
    ? cause.errors.map((error: Error) => error.message).join(', ')
    : cause.message;
}
