import { describe, expect, it } from '@jest/globals';
import { UnusableCredentialsError } from './accounts.errors.js';
import { checkCredentials } from './credential-check.js';
import { type Credentials } from './registry/account.js';

const API = {
  credentialFields: [{ name: 'key', isRequired: true }],
  credentialProblem: ({ key }: Credentials) =>
    key?.includes('\n') ? { name: 'key', detail: 'holds a line break' } : undefined,
  takesVisitors: false,
};
const SITE = {
  credentialFields: [
    { name: 'user', isRequired: true },
    { name: 'password', isRequired: true },
    { name: 'team', isRequired: false },
  ],
  credentialProblem: () => undefined,
  takesVisitors: true,
};
const UNKNOWN = { credentialFields: [], credentialProblem: () => undefined, takesVisitors: false };

describe('checkCredentials', () => {
  it.each([
    ['another name', API, { apiKey: 'sk' }, 'key', "need key: 'key' is missing."],
    ['none', API, {}, 'key', "need key: 'key' is missing."],
    ['one that cannot be sent', API, { key: 'sk\n1' }, 'key', "need key: 'key' holds a line break."],
    ['an empty one', API, { key: '' }, 'key', "need key: 'key' is empty."],
    [
      'a part',
      SITE,
      { user: 'ann' },
      'password',
      "need user and password: 'password' is missing. It may be empty",
    ],
    [
      'an inherited name',
      { ...API, credentialFields: [{ name: 'constructor', isRequired: true }] },
      { key: 'sk' },
      'constructor',
      'is missing',
    ],
  ])('refuses %s', (_what, driver, credentials, name, message) => {
    const check = (): void => checkCredentials(credentials, driver);
    expect(check).toThrow(UnusableCredentialsError);
    expect(check).toThrow(message);
    expect(check).toThrow(expect.objectContaining({ code: 'invalid_request', param: `credentials.${name}` }));
  });

  it.each([
    ['what is needed, and more', API, { key: 'sk', region: 'eu' }],
    ['a login without what is optional', SITE, { user: 'ann', password: 'secret' }],
    ['an empty password, which a person enters', SITE, { user: 'ann', password: '' }],
    ['anything where nothing is known', UNKNOWN, { apiKey: 'sk' }],
  ])('takes %s', (_what, driver, credentials) => {
    expect(() => checkCredentials(credentials, driver)).not.toThrow();
  });
});
