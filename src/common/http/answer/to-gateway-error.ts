import { HttpException } from '@nestjs/common';
import { type ErrorCode } from '../../errors/error-catalog.js';
import { GatewayError, InternalError } from '../../errors/gateway.errors.js';

/** Errors of Nest and Express, by status. Their own messages quote paths and bodies, so each has a text of ours. */
const BY_STATUS: ReadonlyMap<number, readonly [code: ErrorCode, message: string]> = new Map([
  [404, ['not_found', 'There is nothing at this path.']],
  [413, ['payload_too_large', 'The request body is too large.']],
  [415, ['unsupported_media_type', 'The Content-Type must be application/json (UTF-8).']],
]);
const OTHER_CLIENT_ERROR = ['invalid_request', 'The request is not valid.'] as const;

/** What a caller is told of any error: gateway errors as they are, everything unknown as a plain 500. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) {
    return error;
  }
  const status = error instanceof HttpException ? error.getStatus() : 500;
  if (status < 400 || status >= 500) {
    return new InternalError('The gateway failed to process the request.', error);
  }
  const [code, message] = BY_STATUS.get(status) ?? OTHER_CLIENT_ERROR;
  return new GatewayError(code, message, { cause: error });
}
