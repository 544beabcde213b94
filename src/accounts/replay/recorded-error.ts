import { type ErrorCode } from '../../common/errors/error-catalog.js';
import { type FailureReason } from '../../common/errors/failure-reasons.js';
import { GatewayError } from '../../common/errors/gateway.errors.js';
import { type UnavailableFault } from '../../upstream/unavailable-fault.js';
import {
  LocalResourceError,
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
  UpstreamError,
} from '../../upstream/upstream.errors.js';

/**
 * A failure in the form of JSON, as far as code, reason and retries depend on it. Left out is what follows for accounts
 * (`isOfModel`, `isOfConversation`, evidence), and what only callers are told (`contextLimit`, times and fields of a
 * `GatewayError`): a decision that is to depend on one of these needs it here first.
 */
export interface RecordedError {
  /** Name of the class. */
  readonly name: string;
  readonly message: string;
  /** Fault of an `UpstreamError`, reason of a `GatewayError`. */
  readonly reason?: string;
  /** Of a `GatewayError`. */
  readonly code?: ErrorCode;
  /** The upstream's own time until it may be asked again. */
  readonly retryAfterMs?: number;
  /** Of a `RejectedError`. */
  readonly field?: string;
}

export function toRecordedError(error: unknown): RecordedError {
  if (error instanceof RateLimitedError || error instanceof UnavailableError) {
    const { name, message, fault: reason, retryAfterMs } = error;
    return { name, message, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (error instanceof RejectedError) {
    const { name, message, fault: reason, field } = error;
    return { name, message, reason, ...(field !== undefined && { field }) };
  }
  if (error instanceof UpstreamError) {
    return { name: error.name, message: error.message, reason: error.fault };
  }
  if (error instanceof GatewayError) {
    return { name: error.name, message: error.message, reason: error.reason, code: error.code };
  }
  return { name: 'Error', message: error instanceof Error ? error.message : String(error) };
}

/** The failure again, of the class by which it is judged. */
export function fromRecordedError(error: RecordedError): Error {
  const { name, message, reason = '', code, retryAfterMs, field } = error;
  if (code !== undefined) {
    return new GatewayError(code, message, { reason: reason as FailureReason });
  }
  switch (name) {
    case 'RateLimitedError':
      return new RateLimitedError(retryAfterMs, { message });
    case 'LoginRequiredError':
      return new LoginRequiredError(reason as LoginRequiredError['fault'], message);
    case 'LoginReplacedError':
      return new LoginReplacedError(new Error(message));
    case 'LocalResourceError':
      return new LocalResourceError(new Error(message));
    case 'RejectedError':
      return new RejectedError(reason as RejectedError['fault'], message, { field });
    case 'UnavailableError':
      return new UnavailableError(reason as UnavailableFault, message, { retryAfterMs });
    default:
      return new Error(message);
  }
}
