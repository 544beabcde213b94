import { expect, it } from '@jest/globals';
import { type ErrorCode } from '../../errors/error-catalog.js';
import { GatewayError, type GatewayErrorOptions, InternalError } from '../../errors/gateway.errors.js';
import { errorHeaders } from './error-headers.js';

const wait = (seconds: string): object => ({ 'Retry-After': seconds });
const NO_RETRY = { 'x-should-retry': 'false' };

it.each<[ErrorCode, GatewayErrorOptions, object]>([
  ['invalid_request', { param: 'model' }, {}],
  ['invalid_api_key', {}, { 'WWW-Authenticate': 'Bearer' }],
  ['upgrade_required', {}, { Upgrade: 'HTTP/1.1', Connection: 'Upgrade' }],
  ['method_not_allowed', { allowedMethods: ['GET', 'POST'] }, { Allow: 'GET, POST' }],
  ['rate_limit', {}, {}],
  ['rate_limit', { retryAfterMs: 0 }, wait('1')],
  ['rate_limit', { retryAfterMs: 1001 }, wait('2')],
  ['rate_limit', { retryAfterMs: 60_000 }, wait('60')],
  ['rate_limit', { retryAfterMs: 60_001 }, { ...wait('61'), ...NO_RETRY }],
  ['rate_limit', { retryAfterMs: 5000, isRetryable: false }, { ...wait('5'), ...NO_RETRY }],
])('%s with %j has the headers %j', (code, options, headers) => {
  expect(errorHeaders(new GatewayError(code, 'No.', options))).toEqual(headers);
});

it('tells of a failure when it may be over', () => {
  expect(errorHeaders(new InternalError('upstream_down', 'no.', { retryAfterMs: 9500 }))).toEqual(wait('10'));
});
