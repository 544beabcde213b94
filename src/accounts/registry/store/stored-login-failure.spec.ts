import { expect, it } from '@jest/globals';
import { fromStoredLoginFailure, toStoredLoginFailure } from './stored-login-failure.js';

it('keeps a failure in the words of releases before', () => {
  const text = '{"reason":"login_wall","message":"Logged out.","at":1,"hasScreenshot":true}';
  const failure = { fault: 'login_wall', message: 'Logged out.', at: 1, hasScreenshot: true };
  expect(fromStoredLoginFailure(text)).toEqual(failure);
  expect(toStoredLoginFailure(failure)).toBe(text);
});

it('keeps nothing of a login that works', () => {
  expect([toStoredLoginFailure(undefined), fromStoredLoginFailure(null)]).toEqual([null, undefined]);
});
