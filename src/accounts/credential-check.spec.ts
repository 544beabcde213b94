import { describe, expect, it } from '@jest/globals';
import { CredentialsTakenError, MissingCredentialError } from './accounts.errors.js';
import { checkCredentials } from './credential-check.js';
import { type Credentials } from './registry/account.js';

const API = {
  credentialFields: [{ name: 'key', isRequired: true }],
  takesVisitors: false,
  shares: 8,
};
const SITE = {
  credentialFields: [
    { name: 'user', isRequired: true },
    { name: 'password', isRequired: true },
    { name: 'team', isRequired: false },
  ],
  takesVisitors: true,
  shares: 1,
};
const UNKNOWN = { credentialFields: [], takesVisitors: false, shares: 1 };

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
    const check = (): void => checkCredentials(credentials, driver, []);
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
    expect(() => checkCredentials(credentials, driver, [])).not.toThrow();
  });

  it('refuses the key of another account, whatever else it has', () => {
    const others: { name: string; credentials: Credentials }[] = [
      { name: 'one', credentials: { key: 'sk-1' } },
      { name: 'two', credentials: { key: 'sk-2', region: 'eu' } },
    ];
    const check = (): void => checkCredentials({ key: 'sk-2' }, API, others);
    expect(check).toThrow(CredentialsTakenError);
    expect(check).toThrow("The account 'two' has the same key already.");
    expect(check).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'credentials.key' }));
    expect(() => checkCredentials({ key: 'sk-3' }, API, others)).not.toThrow();
  });

  it('takes a login twice where one gateway at a time can use an account', () => {
    const credentials = { user: 'ann', password: 'secret' };
    expect(() => checkCredentials(credentials, SITE, [{ name: 'one', credentials }])).not.toThrow();
  });
});
