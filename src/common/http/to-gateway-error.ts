import { HttpException } from '@nestjs/common';
import { type ErrorCode } from '../errors/error-catalog.js';
import { GatewayError, InternalError } from '../errors/gateway.errors.js';

/** Errors of Nest and Express, by status. Their own messages quote paths and bodies, so each has a text of ours. */
const BY_STATUS: ReadonlyMap<number, readonly [code: ErrorCode, message: string]> = new Map([
  [400, ['invalid_request', 'The request is not valid.']],
  [401, ['invalid_api_key', 'An API key is required.']],
  [403, ['origin_not_allowed', 'This request is not allowed.']],
  [404, ['not_found', 'Nothing is here.']],
  [405, ['method_not_allowed', 'This method is not allowed here.']],
  [408, ['request_timeout', 'The request took too long.']],
  [413, ['payload_too_large', 'The request body is too large.']],
  [415, ['unsupported_media_type', 'The Content-Type must be application/json (UTF-8).']],
  [417, ['expectation_failed', 'The expectation cannot be met.']],
  [429, ['rate_limit', 'Too many requests.']],
  [431, ['headers_too_large', 'The request headers are too large.']],
]);

/** What a caller is told of any error: gateway errors as they are, everything unknown as a plain 500. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) {
    return error;
  }
  const status = error instanceof HttpException ? error.getStatus() : 500;
  const isCallersFault = status >= 400 && status < 500;
  const known = BY_STATUS.get(status) ?? (isCallersFault ? BY_STATUS.get(400) : undefined);
  return known
    ? new GatewayError(known[0], known[1], { cause: error })
    : new InternalError('The gateway failed to process the request.', error);
}
