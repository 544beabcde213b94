import { describe, expect, it } from '@jest/globals';
import {
  NoUsableAccountError,
  SessionPoolExhaustedError,
  UpstreamDownError,
} from '../accounts/accounts.errors.js';
import { ERROR_CATALOG, type ErrorCode } from '../common/errors/error-catalog.js';
import { ContextWindowExceededError, GatewayError } from '../common/errors/gateway.errors.js';
import { MESSAGE_ERRORS, ThreadUnsupportedError } from './message-errors.js';

function typeOf(error: GatewayError): [number, string] {
  const { error: told } = MESSAGE_ERRORS.body(error, 'req_1') as { error: { type: string } };
  return [MESSAGE_ERRORS.status(error), told.type];
}

// Statuses and types: https://platform.claude.com/docs/en/api/errors
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
};

describe('MESSAGE_ERRORS', () => {
  it('has the envelope of the format', () => {
    const error = new GatewayError('invalid_request', 'max_tokens must be an integer.', {
      param: 'max_tokens',
    });
    expect(MESSAGE_ERRORS.body(error, 'req_1')).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'max_tokens must be an integer.' },
      request_id: 'req_1',
    });
    expect(MESSAGE_ERRORS.headers?.('req_1')).toEqual({ 'request-id': 'req_1' });
  });

  it('has the type that the format gives to the status of each code', () => {
    const codes = Object.keys(ERROR_CATALOG) as ErrorCode[];
    const told = codes.map((code) => [code, ...typeOf(new GatewayError(code, ''))]);
    expect(told).toEqual(
      codes.map((code) => {
        const { status } = ERROR_CATALOG[code];
        return [code, status, TYPES[status] ?? 'invalid_request_error'];
      }),
    );
  });

  it('lets the official client go on without a thread', () => {
    expect(MESSAGE_ERRORS.body(new ThreadUnsupportedError(), 'req_1')).toMatchObject({
      error: {
        type: 'invalid_request_error',
        details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
      },
    });
  });

  it('tells an overload from a failure', () => {
    expect(typeOf(new SessionPoolExhaustedError('the queue is full'))).toEqual([529, 'overloaded_error']);
    expect(typeOf(new UpstreamDownError(1000))).toEqual([529, 'overloaded_error']);
    expect(typeOf(new NoUsableAccountError(''))).toEqual([500, 'api_error']);
  });

  it.each([
    [210_000, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [150_000, 'prompt is too long: with its answer it exceeds 200000 tokens'],
    [150_000, 'prompt is too long: the upstream takes less than these 150000 tokens', undefined],
  ])('says of %d tokens what agents understand: %s', (tokens, message, ...limits: undefined[]) => {
    const error = new ContextWindowExceededError(
      'svc-max',
      limits.length === 0 ? 200_000 : undefined,
      tokens,
      'messages',
    );
    expect(MESSAGE_ERRORS.body(error, 'req_1')).toMatchObject({ error: { message } });
  });
});
