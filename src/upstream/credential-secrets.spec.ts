import { expect, it } from '@jest/globals';
import { withoutSecrets } from './credential-secrets.js';
import { UnavailableError } from './upstream.errors.js';

const CREDENTIALS = { user: 'ann-the-user', token: 's3cr3t/TOKEN' };

class ComputedError extends Error {
  override get message(): string {
    return 'at ?t=s3cr3t%2FTOKEN';
  }
}

it('takes the secrets of an account out of an error and its causes, and leaves the error what it is', () => {
  const inner = new ComputedError();
  const cause = new Error('net::ERR_FAILED at https://chat.example/sso?t=s3cr3t%2FTOKEN', { cause: inner });
  const error = new UnavailableError('page_failed', 'goto: s3cr3t/TOKEN of ann-the-user', { cause });
  expect(withoutSecrets(error, CREDENTIALS)).toBe(error);
  expect(error).toMatchObject({
    name: 'UnavailableError',
    fault: 'page_failed',
    message: 'goto: [redacted] of ann-the-user',
    cause: {
      message: 'net::ERR_FAILED at https://chat.example/sso?t=[redacted]',
      cause: { message: 'at ?t=[redacted]' },
    },
  });
  expect([error.stack, cause.stack, inner.stack].join()).not.toMatch(/s3cr3t/);
});

it.each(['text', undefined, null])('leaves %j alone', (thrown) => {
  expect(withoutSecrets(thrown, CREDENTIALS)).toBe(thrown);
});

it('stops at an error that is its own cause', () => {
  const error: Error = new Error('s3cr3t/TOKEN');
  error.cause = error;
  expect(withoutSecrets(error, CREDENTIALS)).toHaveProperty('message', '[redacted]');
});
