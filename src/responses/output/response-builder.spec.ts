import { expect, it } from '@jest/globals';
import { rateLimit } from '../../accounts/pool/pool-refusal.js';
import { TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { failedResponse } from './response-builder.js';

const identity = { id: 'resp_1', createdAt: 0, now: () => 0, repeated: { model: 'svc-max' } };

it.each([
  [
    'a limit of a key',
    new TooManyRequestsError('Limit of 3 requests a minute reached.', 11_500),
    'Limit of 3 requests a minute reached. Please try again in 12s.',
  ],
  [
    'the accounts, whose message has it',
    rateLimit([], 'm', { monotonic: 0, wall: 0 }),
    'The upstream limits the rate of requests. Please try again in 1s.',
  ],
])('says once in a failure how long to wait: %s', (_what, error, message) => {
  expect(failedResponse(identity, [], error).error).toEqual({ code: 'rate_limit_exceeded', message });
});
