import {
  type GatewayError,
  InternalError,
  InvalidRequestError,
  RateLimitError,
} from '../../common/errors/gateway.errors.js';
import {
  LocalResourceError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
} from '../../upstream/upstream.errors.js';
import { PromptTooLongError } from '../registry/accounts.errors.js';

/**
 * The caller's error for an upstream failure. The failure itself goes along as `cause`, for the log only.
 * @param retryAfterMs time until the first account is out of its cooldown
 */
export function toCallerError(error: unknown, retryAfterMs: number): GatewayError {
  if (error instanceof RateLimitedError) {
    return new RateLimitError('The upstream limits the rate of requests.', retryAfterMs, error);
  }
  if (error instanceof LoginRequiredError) {
    return new InternalError('An account of the upstream must be logged in again by the operator.', error);
  }
  if (error instanceof LocalResourceError) {
    return new InternalError('The gateway is short of resources at this moment. Please retry.', error);
  }
  if (error instanceof RejectedError) {
    // The driver wrote this message, not the upstream, so it may be shown.
    return error.reason === 'too_long'
      ? new PromptTooLongError(error)
      : new InvalidRequestError(error.message, undefined, error);
  }
  return new InternalError('The upstream failed to answer.', error);
}
