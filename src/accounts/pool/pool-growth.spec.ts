import { beforeEach, describe, expect, it } from '@jest/globals';
import { ENDLESS } from '../../cluster/single-node-tenures.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import { type UpstreamSession } from '../../upstream/upstream-driver.js';
import { Account } from '../registry/account.js';
import { nextToOpen } from './pool-growth.js';
import { AccountSlots } from './slots/account-slots.js';

const LIMITS = { minSessions: 0, maxSessions: 9, maxPerAccount: 1 };
const FAILURE = new UnavailableError('page_timeout', 'x');

let all: AccountSlots[];

beforeEach(() => {
  all = ['a', 'b', 'c', 'd'].map(
    (name) => new AccountSlots(new Account(name, name, 'operator', {}, 0, ENDLESS), () => undefined),
  );
});

const demands = (waiting: number, tried: readonly string[] = [], model = 'm') =>
  waiting === 0 ? [] : [{ model, tried: new Set(tried), waiting }];

function next(now: number, waiting = 1, tried: readonly string[] = []): string | undefined {
  return nextToOpen(all, demands(waiting, tried), LIMITS, now)?.account.name;
}

describe('nextToOpen', () => {
  it('takes accounts whose last opening failed last, for requests as well as to prove logins', () => {
    all.forEach((slots) => slots.wantSession());
    expect([next(0), next(0, 0)]).toEqual(['a', 'a']);
    all[0]!.backOff(FAILURE, 0, 0);
    expect([next(1000), next(1000, 0)]).toEqual(['b', 'b']);
    all.slice(1).forEach((slots) => slots.close());
    expect([next(1000), next(1000, 0)]).toEqual(['b', 'a']);
  });

  it('opens a session for each waiting request, two logins at a time', () => {
    all[0]!.startOpening(0);
    expect([next(0, 1), next(0, 2)]).toEqual([undefined, 'b']);
    all[1]!.startOpening(0);
    expect(next(0, 3)).toBeUndefined();
  });

  it('does not count an opening that takes longer than ten seconds', () => {
    all[0]!.startOpening(0);
    expect([next(9999, 1), next(10_000, 1)]).toEqual([undefined, 'b']);
    all[1]!.startOpening(5000);
    expect([next(9999, 3), next(10_000, 3)]).toEqual([undefined, 'c']);
  });

  it('has logins after a failure in places of their own', () => {
    for (const slots of all.slice(0, 2)) {
      slots.backOff(FAILURE, 0, 0);
      slots.startOpening(1000);
    }
    expect(next(1000, 3)).toBe('c');
    all[2]!.startOpening(1000);
    all[2]!.backOff(FAILURE, 0, 0);
    expect(next(1000, 4)).toBe('d');
    all[3]!.backOff(FAILURE, 0, 0);
    expect(next(1000, 4)).toBeUndefined();
  });

  it('waits longer and longer before it replaces sessions that end unused, unless a request waits', () => {
    const slots = all[0]!;
    const limits = { ...LIMITS, minSessions: 1 };
    const opens = (now: number, waiting = 0): boolean =>
      nextToOpen([slots], demands(waiting), limits, now) !== undefined;
    const endUnused = (now: number, use = 0): void => {
      const session = { isUsable: true };
      slots.opened(slots.startOpening(now), { id: 's', session: session as UpstreamSession }, now);
      for (let count = 0; count < use; count += 1) {
        slots.giveBack(slots.lend(1)!, now);
      }
      session.isUsable = false;
      slots.retireBroken(now, () => 0);
    };
    endUnused(0);
    expect([opens(999), opens(999, 1), opens(1000)]).toEqual([false, true, true]);
    endUnused(1000);
    slots.wantSession();
    expect([opens(2999), opens(3000)]).toEqual([false, true]);
    endUnused(3000, 1);
    expect(opens(3000)).toBe(true);
    endUnused(3000);
    expect([opens(3999), opens(4000)]).toEqual([false, true]);
  });
});
