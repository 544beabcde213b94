import { expect, it } from '@jest/globals';
import { Account } from '../accounts/registry/account.js';
import { ENDLESS } from '../cluster/single-node-tenures.js';
import { accountGlance } from './account-glance.js';

const FAILURE = { fault: 'login_wall', message: 'A wall.', at: 1, hasScreenshot: false };
const account = (name: string, tenure = ENDLESS) => new Account(name, name, 'operator', {}, 0, tenure);

const cooling = account('cooling');
cooling.cooldown.extend(1000, 'rate_limit', 0, 0);
const out = account('out');
out.loginFailure = FAILURE;
const disabled = account('disabled');
disabled.isEnabled = false;
const elsewhere = account('elsewhere', { ...ENDLESS, isHeld: false, mayProbe: false });

it('shows first what is wrong, and the others as they are listed', () => {
  const all = [disabled, account('b'), elsewhere, cooling, account('a'), out];
  const { accounts, others } = accountGlance(all, {}, 0, 0);
  expect(accounts.map(({ name }) => name)).toEqual(['out', 'cooling', 'b', 'a', 'elsewhere', 'disabled']);
  expect(others).toBe(0);
});

it('shows eight of many, with their sessions', () => {
  const many = [...'abcdefghij'].map((name) => account(name));
  const sessions = { j: { sessions: 3, idle: 1, leases: 2, opening: 0 } };
  const { accounts, others } = accountGlance([cooling, ...many], sessions, 0, 5000);
  expect([accounts.length, others]).toEqual([8, 3]);
  expect(accounts[0]).toMatchObject({ state: 'cooldown', cooldown: { until: 6000 }, sessions: 0 });
  expect(accountGlance(many.slice(9), sessions, 0, 0).accounts).toMatchObject([{ sessions: 3, leases: 2 }]);
});
