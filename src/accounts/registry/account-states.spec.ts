import { expect, it } from '@jest/globals';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { type Tenure } from '../../cluster/tenures.js';
import { Account } from './account.js';
import { countStates } from './account-states.js';

const FAILURE = { fault: 'login_wall', message: 'A wall.', at: 1, hasScreenshot: false };
/** Another node has the account, or its first share. */
const ELSEWHERE = { ...ENDLESS, isHeld: false, mayProbe: false };
const OTHER_SHARES = { ...ENDLESS, mayProbe: false };

function accountsOf(tenures: readonly Tenure[], reportsUnheld: boolean): Account[] {
  return tenures.map((tenure, at) => {
    const account = new Account(`${at}`, `${at}`, 'operator', {}, 0, { ...tenure, reportsUnheld });
    if (at === 1) {
      account.cooldown.extend(1000, 'rate_limit', 0, 0);
    }
    account.loginFailure = at === 2 ? FAILURE : undefined;
    account.isEnabled = at !== 3;
    return account;
  });
}

it('counts each account at one of several gateways, also those that nobody may use', () => {
  const first = accountsOf([ENDLESS, ELSEWHERE, ELSEWHERE, ELSEWHERE, OTHER_SHARES], true);
  const second = accountsOf([ELSEWHERE, ENDLESS, ENDLESS, ELSEWHERE, ENDLESS], false);
  expect([first, second].map((accounts) => countStates(accounts, 0))).toEqual([
    { ready: 1, cooldown: 0, login_required: 0, disabled: 1 },
    { ready: 1, cooldown: 1, login_required: 1, disabled: 0 },
  ]);
});

it('counts every account where there is one gateway', () => {
  const accounts = accountsOf([ENDLESS, ENDLESS, ENDLESS, ENDLESS, ENDLESS], true);
  expect(countStates(accounts, 0)).toEqual({ ready: 2, cooldown: 1, login_required: 1, disabled: 1 });
});
