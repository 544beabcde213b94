import { describe, expect, it } from '@jest/globals';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { Account, type AccountState } from '../registry/account.js';
import { describeObstacles } from './pool-outlook.js';
import { poolRefusal } from './pool-refusal.js';

const NOON = Date.UTC(2026, 10, 22, 12, 0, 0);
const at = { monotonic: 1000, wall: NOON };

/** An account in a state; the cooldown of a limited one ends after that many seconds. */
function account(state: AccountState, seconds = 0): Account {
  const made = new Account('id', 'secret-name', 'operator', {}, 0, ENDLESS);
  made.isEnabled = state !== 'disabled';
  if (state === 'login_required') {
    made.loginFailure = { fault: 'login_wall', message: 'wall', at: 0, hasScreenshot: false };
  }
  made.cooldown.extend(seconds * 1000, 'limit', at.monotonic, 0);
  return made;
}

describe('describeObstacles', () => {
  it.each<[string, Account[], string]>([
    ['no account', [], ''],
    ['one that is ready', [account('ready')], ''],
    ['one that is limited', [account('cooldown', 5)], '1 of 1 accounts is limited until 12:00:05 UTC'],
    [
      'all causes',
      [account('cooldown', 65), account('login_required'), account('login_required', 1), account('disabled')],
      '1 of 4 accounts is limited until 12:01:05 UTC, 2 need a login, 1 is disabled',
    ],
    [
      'several limits',
      [account('cooldown', 90), account('cooldown', 30), account('ready')],
      '2 of 3 accounts are limited, the first until 12:00:30 UTC',
    ],
    [
      'a limit until another day',
      [account('cooldown', 12 * 3600)],
      '1 of 1 accounts is limited until 2026-11-23 00:00:00 UTC',
    ],
  ])('tells of %s', (_what, accounts, expected) => {
    expect(describeObstacles(accounts, 'm', at)).toBe(expected);
  });
});

describe('poolRefusal', () => {
  it.each([
    ['the operator', false, 'no_account', 60_000],
    ['the shared database, which may be back at any moment', true, 'database_away', 2000],
  ])('waits for %s where no account is left', (_what, isDatabaseAway, reason, retryAfterMs) => {
    const refusal = poolRefusal([], 'm', { monotonic: 0, wall: 0 }, 0, isDatabaseAway);
    expect(refusal).toMatchObject({ reason, retryAfterMs });
  });
});
