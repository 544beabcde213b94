import { describe, expect, it } from '@jest/globals';
import { LoginRequiredError } from '../../upstream/upstream.errors.js';
import { toLoginFailure, withoutQuery } from './login-failure.js';

describe('toLoginFailure', () => {
  it('has neither address nor title where there was no page', () => {
    const failure = toLoginFailure(new LoginRequiredError('login_failed', 'No form.'), {}, 7);
    expect(failure).toEqual({ fault: 'login_failed', message: 'No form.', at: 7, hasScreenshot: false });
  });
});

describe('withoutQuery', () => {
  it.each([
    ['https://u:p@chat.test:8443/a/b?x=1#y', 'https://chat.test:8443/a/b'],
    ['about:blank', 'about:'],
    ['data:text/html,secret', 'data:'],
    ['not a url', ''],
  ])('keeps of the address %s only %s', (url, kept) => {
    expect(withoutQuery(url)).toBe(kept);
  });
});
