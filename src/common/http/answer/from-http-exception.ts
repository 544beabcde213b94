import { type HttpException } from '@nestjs/common';
import { type ErrorCode } from '../../errors/error-catalog.js';
import { asGatewayError, GatewayError } from '../../errors/gateway.errors.js';
import { JSON_BODIES_ONLY } from '../../errors/shared-messages.js';

/** Errors of Nest and Express by status, with texts of our own, since theirs quote paths and bodies. */
const BY_STATUS: ReadonlyMap<number, readonly [code: ErrorCode, message: string]> = new Map([
  [404, ['not_found', 'There is nothing at this path.']],
  [413, ['payload_too_large', 'The request body is too large.']],
  [415, ['unsupported_media_type', JSON_BODIES_ONLY]],
]);
const OTHER_CLIENT_ERROR = ['invalid_request', 'The request is not valid.'] as const;

/** The error as callers see it: the caller's fault by its status, any other as the gateway's own. */
export function fromHttpException(exception: HttpException): GatewayError {
  const status = exception.getStatus();
  if (status < 400 || status >= 500) {
    return asGatewayError(exception);
  }
  const [code, message] = BY_STATUS.get(status) ?? OTHER_CLIENT_ERROR;
  return new GatewayError(code, message, { cause: exception });
}
