import { describe, expect, it } from '@jest/globals';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { Account } from './account.js';

const ELSEWHERE = { ...ENDLESS, isHeld: false };
const FAILURE = { fault: 'login_wall', message: 'A wall.', at: 1, hasScreenshot: false };

function made(fields: Partial<Account>, tenure = ENDLESS): Account {
  const account = new Account('id', 'ann', 'operator', {}, 0, tenure);
  account.cooldown.extend(1000, 'limit', 0, 0);
  return Object.assign(account, fields);
}

describe('an Account', () => {
  it.each([
    ['is disabled, whatever else', made({ isEnabled: false, loginFailure: FAILURE }, ELSEWHERE), 'disabled'],
    ['needs a login, wherever it is', made({ loginFailure: FAILURE }, ELSEWHERE), 'login_required'],
    ['needs a login while a person logs it in', made({ isHandedOver: true }), 'login_required'],
    ['is used by another gateway, even in a cooldown', made({}, ELSEWHERE), 'elsewhere'],
    ['is in use in a cooldown', made({}), undefined],
  ])('%s', (_, account, outOfUse) => {
    expect([account.outOfUse, account.stateAt(500)]).toEqual([outOfUse, outOfUse ?? 'cooldown']);
    expect(account.isUsable).toBe(outOfUse === undefined);
    expect(account.needsLogin).toBe(outOfUse === 'login_required');
  });

  it('is ready after its cooldown', () => {
    expect(made({}).stateAt(1000)).toBe('ready');
  });
});
