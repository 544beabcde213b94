import { describe, expect, it } from '@jest/globals';
import { Account } from '../../accounts/registry/account.js';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { statusOf } from './status.js';

const NONE = { ready: 0, logging_in: 0, cooldown: 0, login_required: 0, disabled: 0, elsewhere: 0 };
const FAILURE = { fault: 'login_wall', message: 'A wall.', at: 1, hasScreenshot: false };

function made(fields: Partial<Account> = {}, tenure = {}): Account {
  return Object.assign(new Account('a', 'ann', 'operator', {}, 0, { ...ENDLESS, ...tenure }), fields);
}

function cooling(ms: number): Account {
  const account = made();
  account.cooldown.extend(ms, 'limit', 0, 0);
  return account;
}

describe('the status of accounts', () => {
  it('counts each in its state', () => {
    const accounts = [
      made(),
      made(),
      cooling(500),
      made({ isEnabled: false }),
      made({ loginFailure: FAILURE }),
    ];
    expect(statusOf(accounts, {}, 0)).toEqual({
      accounts: { ...NONE, all: 5, ready: 2, cooldown: 1, disabled: 1, login_required: 1 },
    });
  });

  it('counts apart what other gateways use, and may give up', () => {
    const accounts = [
      made({}, { isHeld: false, mayCome: true }),
      made({}, { isHeld: false, mayCome: false }),
      made(),
    ];
    expect(statusOf(accounts, {}, 0)).toEqual({ accounts: { ...NONE, all: 1, ready: 1, elsewhere: 1 } });
  });

  it.each([
    ['that opens its first session', { sessions: 0, opening: 1 }, 'logging_in'],
    ['that opens one more', { sessions: 1, opening: 1 }, 'ready'],
    ['that opens none', { sessions: 0, opening: 0 }, 'ready'],
  ])('takes an account %s as %s', (_, sessions, group) => {
    expect(statusOf([made()], { a: sessions }, 0)).toEqual({ accounts: { ...NONE, all: 1, [group]: 1 } });
  });

  it('says when the first of several cooldowns ends, but not while an account is ready', () => {
    expect(statusOf([cooling(900), cooling(500.2)], {}, 100).nextReadyMs).toBe(401);
    expect(statusOf([cooling(900), made()], {}, 100)).not.toHaveProperty('nextReadyMs');
  });
});
