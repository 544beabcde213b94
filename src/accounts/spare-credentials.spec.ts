import { expect, it } from '@jest/globals';
import { type Account } from './registry/account.js';
import { spareCredentials } from './spare-credentials.js';

it('lends the credentials of the accounts in use first, and none of those switched off', () => {
  const account = (key: string, state: Partial<Account>): Account =>
    ({ isEnabled: true, needsLogin: false, isUsable: true, ...state, credentials: { key } }) as Account;
  const accounts = [
    account('lost', { needsLogin: true, isUsable: false }),
    account('elsewhere', { isUsable: false }),
    account('off', { isEnabled: false, isUsable: false }),
    account('first', {}),
    account('second', {}),
  ];
  expect(spareCredentials(accounts).map(({ key }) => key)).toEqual(['first', 'second', 'elsewhere', 'lost']);
});
