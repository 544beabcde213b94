import { describe, expect, it } from '@jest/globals';
import { refusalsOf, requestsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { refusedBody } from './refused-body.js';

describe('refusedBody', () => {
  it('is found where the same is refused at different places', () => {
    const failed = refusalsOf(5, { reason: 'invalid_request' }, (index) => ({
      error: {
        code: 'invalid_request',
        reason: 'invalid_request',
        message: `messages[${index}].role is unknown.`,
      },
    }));
    expect(refusedBody(trafficOf(failed))).toMatchObject([
      { symptom: expect.stringContaining('messages[4].role is unknown.'), requests: { length: 5 } },
    ]);
  });

  it.each([
    ['payload_too_large', 'BODY_LIMIT'],
    ['unsupported_media_type', 'this header'],
  ] as const)('says what helps against %s', (reason, cure) => {
    const failed = refusalsOf(5, { reason, message: 'Refused.' });
    expect(refusedBody(trafficOf(failed))).toMatchObject([{ cure: expect.stringContaining(cure) }]);
  });

  it('is found where the upstream refuses more than it answers', () => {
    const failed = refusalsOf(6, {
      reason: 'upstream_refused',
      message: 'The upstream refused it (status 400).',
    });
    expect(refusedBody(trafficOf(failed, requestsOf(5)))).toMatchObject([
      {
        symptom: expect.stringContaining('The upstream refused it'),
        cure: expect.stringContaining('own words'),
      },
    ]);
    expect(refusedBody(trafficOf(failed, requestsOf(6)))).toEqual([]);
  });

  it('is not found where a program is being written, or by failures that other rules explain', () => {
    const messages = ['model is missing.', 'messages is empty.', 'stop is too long.'];
    const tries = refusalsOf(9, { reason: 'invalid_request' }, (index) => ({
      error: { code: 'invalid_request', reason: 'invalid_request', message: messages[index % 3] },
    }));
    expect(refusedBody(trafficOf(tries))).toEqual([]);
    expect(refusedBody(trafficOf(refusalsOf(9, { reason: 'model_not_found', message: 'No.' })))).toEqual([]);
  });
});
