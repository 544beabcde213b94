import {
  type GatewayError,
  InternalError,
  InvalidRequestError,
  RateLimitError,
} from '../../common/errors/gateway.errors.js';
import { LoginRequiredError, RateLimitedError, RejectedError } from '../../upstream/upstream.errors.js';
import { PromptTooLongError } from '../registry/accounts.errors.js';

/**
 * What the caller is told of an upstream failure. The failure itself goes along as `cause`, for the log only.
 * @param retryAfterMs when the next account is expected to be free
 */
export function toCallerError(error: unknown, retryAfterMs: number): GatewayError {
  if (error instanceof RateLimitedError) {
    return new RateLimitError('The upstream limits the rate of requests.', retryAfterMs, error);
  }
  if (error instanceof LoginRequiredError) {
    return new InternalError('An account of the upstream must be logged in again by the operator.', error);
  }
  if (error instanceof RejectedError) {
    // Its message is written by the driver, not by the upstream.
    return error.reason === 'too_long'
      ? new PromptTooLongError(error)
      : new InvalidRequestError(error.message, undefined, error);
  }
  return new InternalError('The upstream failed to answer.', error);
}
