import { beforeEach, describe, expect, it } from '@jest/globals';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import { Account } from '../registry/account.js';
import { nextWakeAt, type PoolSituation } from './next-wake.js';
import { AccountSlots } from './slots/account-slots.js';

const LIMITS = {
  minSessions: 1,
  maxSessions: 9,
  maxPerAccount: 9,
  queueLimit: 8,
  idleMs: 4000,
  acquireTimeoutMs: 3000,
};
const NOW = 1000;

let account: Account;
let slots: AccountSlots;
let quiet: PoolSituation;

beforeEach(() => {
  account = new Account('id', 'a', 'operator', {}, 0, ENDLESS);
  slots = new AccountSlots(account, () => undefined);
  quiet = { all: [slots], size: 0, waitingSince: undefined, longestIdleSince: undefined };
});

const wakeAt = (more: Partial<PoolSituation> = {}) => nextWakeAt({ ...quiet, ...more }, LIMITS, NOW);

describe('nextWakeAt', () => {
  it('is never while time alone changes nothing', () => {
    expect(wakeAt()).toBe(Infinity);
  });

  it('is the end of the longest wait for a session', () => {
    expect(wakeAt({ waitingSince: 500 })).toBe(3500);
  });

  it('is the end of a cooldown or of a back-off, the earlier one', () => {
    account.cooldown.extend(60_000, 'limit', NOW, 0);
    expect(wakeAt()).toBe(61_000);
    slots.backOff(new UnavailableError('launch_failed', 'x'), NOW, 0);
    expect(wakeAt()).toBe(2000);
  });

  it('is the end of the rest after a failed prompt', () => {
    account.rest.failed(NOW, 0);
    expect(wakeAt()).toBe(2000);
  });

  it('is the time at which an opening is late, once', () => {
    slots.startOpening(500);
    expect([wakeAt(), nextWakeAt(quiet, LIMITS, 10_500)]).toEqual([10_500, Infinity]);
  });

  it('ignores accounts that are disabled', () => {
    account.cooldown.extend(60_000, 'limit', NOW, 0);
    account.isEnabled = false;
    expect(wakeAt()).toBe(Infinity);
  });

  it('is the next check of idle sessions, or their end if there are more than the warm minimum', () => {
    expect(wakeAt({ longestIdleSince: 900, size: 1 })).toBe(6000);
    expect(wakeAt({ longestIdleSince: 900, size: 2 })).toBe(4900);
  });
});
