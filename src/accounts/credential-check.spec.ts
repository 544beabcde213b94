import { describe, expect, it } from '@jest/globals';
import { MissingCredentialError } from './accounts.errors.js';
import { checkCredentials } from './credential-check.js';

const API = {
  credentialFields: [{ name: 'key', isRequired: true }],
  takesVisitors: false,
};
const SITE = {
  credentialFields: [
    { name: 'user', isRequired: true },
    { name: 'password', isRequired: true },
    { name: 'team', isRequired: false },
  ],
  takesVisitors: true,
};
const UNKNOWN = { credentialFields: [], takesVisitors: false };

describe('checkCredentials', () => {
  it.each([
    ['another name', API, { apiKey: 'sk' }, 'key', "need key: 'key' is missing."],
    ['none', API, {}, 'key', "need key: 'key' is missing."],
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
    expect(check).toThrow(MissingCredentialError);
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
