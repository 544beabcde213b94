import { describe, expect, test } from '@jest/globals';
import { BadGatewayException, HttpException, PayloadTooLargeException } from '@nestjs/common';
import { asGatewayError, GatewayError, InvalidRequestError } from '../../errors/gateway.errors.js';
import { fromHttpException } from './from-http-exception.js';

const BUG = 'Internal server error: the gateway failed to process the request.';

function expectTold(told: GatewayError, code: string, message: string, cause: unknown): void {
  expect(told).toBeInstanceOf(GatewayError);
  expect({ code: told.code, message: told.message, cause: told.cause }).toEqual({ code, message, cause });
}

describe('fromHttpException', () => {
  test.each([
    [new PayloadTooLargeException('/etc/passwd'), 'payload_too_large', 'The request body is too large.'],
    [new HttpException('/etc/passwd', 416), 'invalid_request', 'The request is not valid.'],
    [new BadGatewayException('/etc/passwd'), 'internal_error', BUG],
    [new HttpException('odd', 200), 'internal_error', BUG],
  ])('tells of %p as %s', (exception, code, message) => {
    expectTold(fromHttpException(exception), code, message, exception);
  });
});

describe('asGatewayError', () => {
  test('gateway errors stay as they are', () => {
    const error = new InvalidRequestError('no', 'field');
    expect(asGatewayError(error)).toBe(error);
  });

  test.each([new Error('/etc/passwd'), 'a text', undefined, { status: 400, message: 'x' }])(
    '%p is a fault of the gateway',
    (error) => expectTold(asGatewayError(error), 'internal_error', BUG, error),
  );
});
