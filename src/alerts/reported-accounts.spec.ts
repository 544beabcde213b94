import { describe, expect, it } from '@jest/globals';
import { Account } from '../accounts/registry/account.js';
import { ENDLESS } from '../cluster/single-node-tenures.js';
import { type Tenure } from '../cluster/tenures.js';
import { accountsOut, standsBy } from './reported-accounts.js';

const ELSEWHERE: Tenure = { ...ENDLESS, isHeld: false, mayProbe: false, mayCome: true };

function account(tenure: Tenure, needsLogin: boolean): Account {
  const made = new Account('a', 'ann', 'operator', {}, 0, tenure);
  made.loginFailure = needsLogin
    ? { fault: 'login_wall', message: 'A wall.', at: 1, hasScreenshot: false }
    : undefined;
  return made;
}

describe('accountsOut', () => {
  it.each([
    ['the holder begins to tell', ENDLESS, true, [], ['ann']],
    ['no other gateway does', ELSEWHERE, true, [], []],
    ['whoever has begun goes on when the account has gone elsewhere', ELSEWHERE, true, ['ann'], ['ann']],
    ['and tells of the end', ELSEWHERE, false, ['ann'], []],
  ])('%s', (_, tenure, needsLogin, reported, expected) => {
    expect(accountsOut([account(tenure, needsLogin)], reported)).toEqual(expected);
  });

  it('goes on with an account that is logged in again by itself until something has come of that', () => {
    const tried = account(ENDLESS, false);
    tried.resetLogin();
    tried.automaticLogins = 1;
    expect([accountsOut([tried], ['ann']), accountsOut([tried], [])]).toEqual([['ann'], []]);
    tried.isProven = true;
    expect(accountsOut([tried], ['ann'])).toEqual([]);
  });

  it('leaves out what the operator has switched off', () => {
    const off = account(ENDLESS, true);
    off.isEnabled = false;
    expect(accountsOut([off], ['ann'])).toEqual([]);
  });
});

describe('standsBy', () => {
  it.each([
    ['others have an account that works', account(ELSEWHERE, false), true],
    ['the accounts of others need a login', account(ELSEWHERE, true), false],
    ['the database does not answer', account({ ...ELSEWHERE, mayCome: false }, false), false],
    ['it is the only gateway', account(ENDLESS, true), false],
  ])('%s', (_, one, expected) => expect(standsBy([one])).toBe(expected));
});
