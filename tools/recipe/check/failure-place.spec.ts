import { describe, expect, it } from '@jest/globals';
import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../../src/upstream/upstream.errors.js';
import { type CheckProgress, failurePlace } from './failure-place.js';

const START: CheckProgress = {
  hasBrowser: true,
  hasPage: false,
  isLoggingIn: false,
  wasSent: false,
  awaited: 'capture.request',
};
const timeout = new UnavailableError('page_timeout', '');

describe('failurePlace', () => {
  it.each<[string, unknown, Partial<CheckProgress>]>([
    ['browser', new UnavailableError('launch_failed', ''), { hasBrowser: false }],
    ['login.failure', new LoginRequiredError('invalid_credentials', ''), {}],
    ['login.success', new LoginRequiredError('login_failed', ''), {}],
    ['signs.blocked', new LoginRequiredError('blocked', ''), {}],
    ['signs', new RateLimitedError(), {}],
    ['newChat.ready', timeout, {}],
    ['newChat after login', timeout, { isLoggingIn: true }],
    ['prompt.input', timeout, { hasPage: true }],
    ['prompt', new RejectedError('too_long', ''), { hasPage: true, wasSent: true }],
    ['capture.request', timeout, { hasPage: true, wasSent: true }],
    ['capture.answer', timeout, { hasPage: true, wasSent: true, awaited: 'capture.answer' }],
  ])('is %s', (place, error, progress) => {
    expect(failurePlace(error, { ...START, ...progress })).toBe(place);
  });
});
