import { describe, expect, it } from '@jest/globals';
import { signs as signsSchema } from './recipe-signs.js';
import { findRefusal, refusalError } from './refusal.js';

const signs = signsSchema.parse({
  rateLimit: {
    response: [{ when: [{ path: 'code', equals: 'limit' }] }],
    reset: [{ path: 'until', unit: 'seconds' }],
  },
  loginWall: { response: [{ header: { name: 'Content-Type', contains: 'html' }, body: 'Log in' }] },
  tooLong: { response: [{ status: [400, 413], body: 'too long' }] },
  overloaded: { response: [{ status: 503 }] },
  blocked: { response: [{ body: 'are you human' }] },
});

describe('refusalError', () => {
  const error = (status: number, body: string, headers = {}): unknown =>
    refusalError({ status, headers, body }, signs, 0);

  it.each([
    [error(200, '{"code":"limit","until":5}'), { name: 'RateLimitedError', retryAfterMs: 5000 }],
    [error(429, '', { 'retry-after': '7' }), { name: 'RateLimitedError', retryAfterMs: 7000 }],
    [
      error(429, '', { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }),
      { name: 'RateLimitedError', retryAfterMs: 9000 },
    ],
    [error(429, 'oops'), { name: 'RateLimitedError', retryAfterMs: undefined }],
    [error(200, '<p>log in</p>', { 'content-type': 'text/html' }), { fault: 'login_wall' }],
    [error(413, 'Too long!'), { name: 'RejectedError', fault: 'too_long' }],
    [error(500, 'Too long!'), { fault: 'upstream_status_500' }],
    [error(503, ''), { fault: 'overloaded' }],
    [error(429, 'Are you human?'), { fault: 'blocked' }],
    [error(200, 'hi', { 'content-type': 'text/plain' }), { fault: 'unexpected_content_type' }],
  ])('case %#', (found, expected) => {
    expect(found).toMatchObject(expected);
  });
});

describe('findRefusal', () => {
  it('finds none in a normal answer', () => {
    expect(findRefusal({ status: 200, headers: {}, body: '{"id":1}' }, signs, 0)).toBeUndefined();
    expect(findRefusal({ status: 404, headers: {}, body: '' }, signs, 0)).toMatchObject({
      fault: 'upstream_status_404',
    });
  });
});
