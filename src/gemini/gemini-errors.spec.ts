import { describe, expect, it } from '@jest/globals';
import {
  ContextWindowExceededError,
  GatewayError,
  InternalError,
  InvalidRequestError,
  ModelNotFoundError,
  TooManyRequestsError,
} from '../common/errors/gateway.errors.js';
import { GEMINI_ERRORS } from './gemini-errors.js';

const INFO = 'type.googleapis.com/google.rpc.RetryInfo';

describe('GEMINI_ERRORS', () => {
  it.each([
    [new InvalidRequestError('contents is required.'), 400, 'INVALID_ARGUMENT'],
    [new GatewayError('invalid_api_key', 'No.'), 401, 'UNAUTHENTICATED'],
    [new GatewayError('permission_denied', 'No.'), 403, 'PERMISSION_DENIED'],
    [new ModelNotFoundError('m'), 404, 'NOT_FOUND'],
    [new GatewayError('payload_too_large', 'No.'), 413, 'INVALID_ARGUMENT'],
    [new TooManyRequestsError('Wait.'), 429, 'RESOURCE_EXHAUSTED'],
    [new InternalError('upstream_cut', 'it broke.'), 500, 'INTERNAL'],
    [new InternalError('pool_exhausted', 'all are busy.'), 503, 'UNAVAILABLE'],
  ])('has %s as %i %s', (error, code, status) => {
    expect(GEMINI_ERRORS.status(error)).toBe(code);
    expect(GEMINI_ERRORS.body(error, 'r')).toMatchObject({ error: { code, message: error.message, status } });
  });

  it('says how long to wait, and which field is at fault', () => {
    expect(GEMINI_ERRORS.body(new TooManyRequestsError('Wait.', 1200), 'r')).toMatchObject({
      error: { details: [{ '@type': INFO, retryDelay: '2s' }] },
    });
    expect(GEMINI_ERRORS.body(new InvalidRequestError('a is b.', 'a'), 'r')).toMatchObject({
      error: { details: [{ fieldViolations: [{ field: 'a', description: 'a is b.' }] }] },
    });
  });

  it.each([
    [100, 120, 'The input token count (120) exceeds the maximum number of tokens allowed (100).'],
    [100, 80, "The input token count with the answer's exceeds the maximum number of tokens allowed (100)."],
    [
      undefined,
      120,
      'The input token count exceeds the maximum number of tokens allowed: the prompt is too long.',
    ],
  ])(
    'has words that clients know for a prompt that is too long for %s tokens with %i',
    (max, tokens, message) => {
      const error = new ContextWindowExceededError('m', max, tokens, 'contents');
      expect(GEMINI_ERRORS.body(error, 'r')).toMatchObject({ error: { message } });
    },
  );
});
