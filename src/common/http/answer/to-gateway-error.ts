import { HttpException } from '@nestjs/common';
import { type ErrorCode } from '../../errors/error-catalog.js';
import { GatewayError, InternalError } from '../../errors/gateway.errors.js';

/** Errors of Nest and Express by status, with texts of our own, since theirs quote paths and bodies. */
const BY_STATUS: ReadonlyMap<number, readonly [code: ErrorCode, message: string]> = new Map([
  [404, ['not_found', 'There is nothing at this path.']],
  [413, ['payload_too_large', 'The request body is too large.']],
  [415, ['unsupported_media_type', 'The Content-Type must be application/json (UTF-8).']],
]);
const OTHER_CLIENT_ERROR = ['invalid_request', 'The request is not valid.'] as const;

/** The error as callers see it: a gateway error unchanged, an unknown one as a plain 500. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) {
    return error;
  }
  const status = error instanceof HttpException ? error.getStatus() : 500;
  if (status < 400 || status >= 500) {
    return new InternalError('gateway_failed', 'the gateway failed to process the request.', {
      cause: error,
    });
  }
  const [code, message] = BY_STATUS.get(status) ?? OTHER_CLIENT_ERROR;
  return new GatewayError(code, message, { cause: error });
}
