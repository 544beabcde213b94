import { describe, expect, it } from '@jest/globals';
import { InternalError, ShutdownError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { endOfFailedTest, endOfTest, testedContent } from './test-end.js';

const WHOLE = { text: 'Hello', reasoning: '', isWhole: true };

describe('endOfTest', () => {
  it.each([
    [WHOLE, undefined],
    [{ ...WHOLE, text: '' }, 'The answer was empty.'],
    [{ ...WHOLE, text: '', reasoning: 'Hm.' }, undefined],
    [{ ...WHOLE, isWhole: false }, 'The answer was not over after 60 s, and was stopped.'],
  ])('takes %j for an account that works', (answer, message) => {
    expect(endOfTest(answer, true, 60_000)).toEqual({
      outcome: 'ok',
      logged: 'ok',
      answer,
      ...(message && { message }),
    });
  });

  it('takes silence until the limit for a failure', () => {
    expect(endOfTest({ ...WHOLE, text: '', isWhole: false }, false, 60_000)).toMatchObject({
      outcome: 'upstream_timeout',
      message: 'The account did not begin to answer within 60 s.',
      logged: 'upstream_error',
      error: { code: 'internal_error', reason: 'upstream_timeout' },
    });
  });
});

describe('endOfFailedTest', () => {
  it.each([
    [new TooManyRequestsError('Later.'), 'rate_limited'],
    [new ShutdownError(), 'shutdown'],
    [new InternalError('pool_exhausted', 'the pool is exhausted.'), 'upstream_error'],
    [new TypeError('A bug.'), 'upstream_error'],
  ])('logs %p as %s', (error, logged) => {
    expect(endOfFailedTest(error).logged).toBe(logged);
  });

  it('keeps the causes for the log', () => {
    const cause = new Error('It says: no.');
    const end = endOfFailedTest(new InternalError('pool_exhausted', 'the pool is exhausted.', { cause }));
    expect(end).toMatchObject({
      outcome: 'pool_exhausted',
      message: 'The pool is exhausted.',
      error: { message: 'Internal server error: the pool is exhausted.', cause: 'It says: no.' },
    });
  });
});

describe('testedContent', () => {
  it('keeps as much as the log keeps of any request', () => {
    const answer = { ...WHOLE, text: 'x'.repeat(600) };
    expect(testedContent(answer, 'none')).toBeUndefined();
    expect(testedContent(answer, 'full')).toMatchObject({ answer: answer.text });
    expect(testedContent(answer, 'preview')).toMatchObject({ answer: 'x'.repeat(500), answerChars: 600 });
    expect(testedContent(undefined, 'preview')).toMatchObject({ answer: '', reasoning: '' });
  });
});
