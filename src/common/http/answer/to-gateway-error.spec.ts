import { describe, expect, test } from '@jest/globals';
import { BadGatewayException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import { GatewayError, InvalidRequestError } from '../../errors/gateway.errors.js';
import { toGatewayError } from './to-gateway-error.js';

const BUG = 'Internal server error: the gateway failed to process the request.';

describe('toGatewayError', () => {
  test('gateway errors stay as they are', () => {
    const error = new InvalidRequestError('no', 'field');
    expect(toGatewayError(error)).toBe(error);
  });

  test.each([
    [new PayloadTooLargeException('/etc/passwd'), 'payload_too_large', 'The request body is too large.'],
    [new HttpException('/etc/passwd', 416), 'invalid_request', 'The request is not valid.'],
    [new BadGatewayException('/etc/passwd'), 'internal_error', BUG],
    [new HttpException('odd', 200), 'internal_error', BUG],
    [new Error('/etc/passwd'), 'internal_error', BUG],
    ['a text', 'internal_error', BUG],
    [undefined, 'internal_error', BUG],
    [{ status: 400, message: 'x' }, 'internal_error', BUG],
  ])('%p is told as %s', (error, code, message) => {
    const told = toGatewayError(error);
    expect(told).toBeInstanceOf(GatewayError);
    expect({ code: told.code, message: told.message, cause: told.cause }).toEqual({
      code,
      message,
      cause: error,
    });
  });
});
