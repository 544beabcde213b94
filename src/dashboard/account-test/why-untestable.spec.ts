import { beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../accounts/registry/account.js';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { type Tenure } from '../../cluster/tenures.js';
import { whyUntestable } from './why-untestable.js';

const NOW = 1000;
let account: Account;

const accountWith = (tenure: Tenure): Account => new Account('id', 'ann', 'operator', {}, 0, tenure);
const why = (...holders: string[]): string | undefined => whyUntestable(account, 'm', holders, NOW);

beforeEach(() => {
  account = accountWith(ENDLESS);
});

describe('whyUntestable', () => {
  it('finds nothing against an account that serves', () => {
    expect(why('vm-a')).toBeUndefined();
    account.cooldown.extend(60_000, 'Limited.', NOW, 0, { model: 'n', maxGuessMs: 60_000 });
    expect(why()).toBeUndefined();
  });

  it('says that it is disabled', () => {
    account.isEnabled = false;
    expect(why()).toBe("'ann' is disabled: enable it first.");
  });

  it('says that it must be logged in, and why it is not', () => {
    account.loginFailure = {
      fault: 'login_failed',
      message: 'The password is wrong.',
      at: 0,
      hasScreenshot: false,
    };
    expect(why()).toBe("'ann' must be logged in first. The password is wrong.");
    account.isHandedOver = true;
    expect(why()).toBe("'ann' is being logged in by hand.");
  });

  it('says for how long it cools down, and why', () => {
    account.cooldown.extend(60_000, 'The upstream limits this account.', NOW, 0, { maxGuessMs: 60_000 });
    expect(why()).toBe(
      "'ann' cools down for another 60 s: clear that, or wait. The upstream limits this account.",
    );
  });

  it('says whose it is, if that is known', () => {
    account = accountWith({ ...ENDLESS, isHeld: false });
    expect(why('vm-b', 'vm-c')).toBe("'ann' is used by vm-b, vm-c: test it there.");
    expect(why()).toBe("'ann' is used by another gateway: test it there.");
  });
});
