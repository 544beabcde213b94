import { beforeEach, describe, expect, it } from '@jest/globals';
import { ENDLESS } from '../../../cluster/single-node-tenures.js';
import { UnavailableError } from '../../../upstream/upstream.errors.js';
import { type UpstreamSession } from '../../../upstream/upstream-driver.js';
import { Account } from '../../registry/account.js';
import { AccountSlots } from './account-slots.js';
import { type Slot } from './slot.js';

interface Session {
  readonly name: string;
  isUsable: boolean;
  isReady: boolean;
}

let account: Account;
let slots: AccountSlots;
let closed: string[];

beforeEach(() => {
  account = new Account('id', 'a', 'operator', {}, 0, ENDLESS);
  closed = [];
  slots = new AccountSlots(account, (session) => closed.push((session as unknown as Session).name));
});

/** Opens a slot whose session can be told by its name, and which is idle since `now`. */
function open(name: string, now = 0, started = slots.startOpening(0)): { slot: Slot; session: Session } {
  const session = { name, isUsable: true, isReady: true };
  slots.opened(started, { id: name, session: session as unknown as UpstreamSession }, now);
  return { slot: started, session };
}

const counts = () => ({ opening: slots.opening, idle: slots.idle, leases: slots.leases, closed });

describe('AccountSlots, the life of a slot', () => {
  it('is lent the later, the less it is ready, and else the most recently used first', () => {
    const [first, second, third, last] = ['s1', 's2', 's3', 's4'].map((name) => open(name));
    if (last) {
      last.session.isReady = false;
    }
    expect([1, 2, 3, 4].map((use) => slots.lend(use))).toEqual(
      [third, second, first, last].map((opened) => opened?.slot),
    );
    expect([slots.lend(5), slots.idle]).toEqual([undefined, 0]);
  });

  it('goes from opening over idle and leased back to idle', () => {
    const slot = slots.startOpening(0);
    expect([slot.state, counts()]).toEqual(['opening', { opening: 1, idle: 0, leases: 0, closed: [] }]);
    open('s1', 10, slot);
    expect([slot.state, slots.longestIdleSince, counts()]).toEqual([
      'idle',
      10,
      { opening: 0, idle: 1, leases: 0, closed: [] },
    ]);
    expect(slots.lend(7)).toBe(slot);
    expect([slot.state, slots.lastUse, counts()]).toEqual([
      'leased',
      7,
      { opening: 0, idle: 0, leases: 1, closed: [] },
    ]);
    slots.giveBack(slot, 20);
    expect([slot.state, slots.longestIdleSince]).toEqual(['idle', 20]);
  });

  it('ends with a failed opening', () => {
    const slot = slots.startOpening(0);
    slots.openingFailed(slot);
    expect([slot.state, slots.size, closed]).toEqual(['retired', 0, []]);
  });

  it('lends the most recently used slot and retires the longest idle', () => {
    open('s1', 1);
    open('s2', 2);
    open('s3', 3);
    expect(slots.lend(1)?.opened?.id).toBe('s3');
    slots.retireLongestIdle();
    expect([closed, slots.longestIdleSince]).toEqual([['s1'], 2]);
  });

  it('retires broken sessions, idle or given back', () => {
    const first = open('s1');
    open('s2');
    const lent = slots.lend(1)!;
    first.session.isUsable = false;
    slots.retireBroken(0, () => 0);
    expect(closed).toEqual(['s1']);
    const { session } = lent.opened as unknown as { session: Session };
    session.isUsable = false;
    slots.giveBack(lent, 0);
    expect([lent.state, closed, slots.size]).toEqual(['retired', ['s1', 's2'], 0]);
  });
});

describe.each([
  ['renewLogin', () => slots.renewLogin()],
  ['close', () => slots.close()],
])('AccountSlots.%s', (_name, endLogin) => {
  it('retires idle slots at once, and leased and opening ones when they come back', () => {
    open('idle');
    open('leased');
    const leased = slots.lend(1)!;
    const opening = slots.startOpening(0);
    endLogin();
    expect([closed, slots.isCurrent(leased), slots.isCurrent(opening)]).toEqual([['idle'], false, false]);
    slots.giveBack(leased, 0);
    open('late', 0, opening);
    expect([closed, slots.size]).toEqual([['idle', 'leased', 'late'], 0]);
  });

  it('does not count a late session of the earlier login as the wanted one', () => {
    const opening = slots.startOpening(0);
    endLogin();
    slots.reopen();
    open('late', 0, opening);
    expect(slots.isWanted).toBe(true);
    open('new');
    expect([slots.isWanted, slots.idle]).toEqual([false, 1]);
  });
});

describe('AccountSlots.close', () => {
  it('aborts openings of the earlier login only', () => {
    const { openingSignal } = slots;
    slots.close();
    expect([openingSignal.aborted, slots.openingSignal.aborted]).toEqual([true, false]);
  });

  it('reports once that the last slot is gone', () => {
    open('s1');
    const leased = slots.lend(1)!;
    slots.close();
    expect(slots.takeDrained()).toBe(false);
    slots.giveBack(leased, 0);
    expect([slots.takeDrained(), slots.takeDrained()]).toEqual([true, false]);
  });

  it('reports nothing if the account was opened again before', () => {
    slots.close();
    slots.reopen();
    expect(slots.takeDrained()).toBe(false);
  });
});

describe('AccountSlots.shutDown', () => {
  it('lets no slot become idle any more, and leaves leases current', () => {
    open('s1');
    const leased = slots.lend(1)!;
    open('s2');
    slots.shutDown();
    expect([closed, slots.isCurrent(leased), slots.openingSignal.aborted]).toEqual([['s2'], true, true]);
    slots.giveBack(leased, 0);
    expect(closed).toEqual(['s2', 's1']);
  });
});

describe('AccountSlots, back-off of openings', () => {
  it('ends with the next session or when the account is opened again', () => {
    const failure = new UnavailableError('launch_failed', 'x');
    slots.backOff(failure, 0, 0);
    expect([slots.openError, slots.reopensAt(0)]).toEqual([failure, 1000]);
    open('s1');
    expect([slots.openError, slots.reopensAt(0)]).toEqual([undefined, undefined]);
    slots.backOff(failure, 0, 0);
    slots.reopen();
    expect(slots.reopensAt(0)).toBeUndefined();
  });
});

it('AccountSlots keeps no idle session of an account that is disabled', () => {
  account.isEnabled = false;
  open('s1');
  expect(closed).toEqual(['s1']);
});
