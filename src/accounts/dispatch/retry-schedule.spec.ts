import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Settings } from '../../common/config/settings.js';
import { RetryBudget } from './retry-budget.js';
import { backoffMs, RetrySchedule } from './retry-schedule.js';

const AT_ONCE = { kind: 'at_once' } as const;
const BUDGETED = { kind: 'after_backoff', isBudgeted: true } as const;
const UNBUDGETED = { kind: 'after_backoff', isBudgeted: false } as const;

let budget: RetryBudget;
let longestWaitMs: number;
/** Accounts that are left to be tried. */
let others: number;
let schedule: RetrySchedule;

beforeEach(() => {
  budget = new RetryBudget(() => 1);
  longestWaitMs = Infinity;
  others = 0;
  schedule = new RetrySchedule(
    {
      budget,
      random: { next: () => 0 },
      settings: Object.assign(new Settings(), { RETRY_MAX_ATTEMPTS: 3, RETRY_BASE_DELAY_MS: 500 }),
    },
    { allows: (waitMs) => waitMs <= longestWaitMs },
    () => others-- > 0,
  );
});

/** Makes attempts that all fail alike; returns the delays between them. */
function delays(retry: Parameters<RetrySchedule['nextDelayMs']>[0]): readonly number[] {
  const found: number[] = [];
  for (;;) {
    schedule.attemptStarted();
    const delayMs = schedule.nextDelayMs(retry);
    if (delayMs === undefined) {
      return found;
    }
    found.push(delayMs);
  }
}

describe('RetrySchedule', () => {
  it('makes as many attempts as the setting permits', () => {
    expect(delays(AT_ONCE)).toEqual([0, 0]);
  });

  it('goes on elsewhere while there is another account', () => {
    expect(delays({ kind: 'elsewhere' })).toEqual([]);
    others = 9;
    expect(delays({ kind: 'elsewhere' })).toEqual([0]);
  });

  it('counts what a driver sends again within an attempt', () => {
    schedule.attemptStarted();
    expect(schedule.mayRepeat()).toBe(true);
    expect(delays(AT_ONCE)).toEqual([]);
    expect(schedule.mayRepeat()).toBe(false);
  });

  it('does not count refusals of fields, as many as a request has optional ones', () => {
    for (let field = 0; field < 10; field++) {
      schedule.attemptStarted();
      expect(schedule.nextDelayMs({ kind: 'in_other_form' })).toBe(0);
    }
    expect(delays(BUDGETED)).toEqual([500, 1000]);
  });

  it('bounds refusals of fields', () => {
    expect(delays({ kind: 'in_other_form' })).toHaveLength(12);
  });

  it('waits longer before each retry with back-off', () => {
    expect(delays(BUDGETED)).toEqual([500, 1000]);
  });

  it('comes back no sooner than the upstream has asked', () => {
    expect(delays({ ...BUDGETED, notBeforeMs: 700 })).toEqual([700, 1000]);
  });

  it('does not come back where the upstream asks for more than the longest wait', () => {
    const withdraw = jest.spyOn(budget, 'tryWithdraw');
    expect(delays({ ...BUDGETED, notBeforeMs: 8001 })).toEqual([]);
    expect(withdraw).not.toHaveBeenCalled();
  });

  it('makes no attempt after a failure that permits none', () => {
    expect(delays({ kind: 'never' })).toEqual([]);
  });

  it('makes no retry that the budget cannot pay for, unless it is free', () => {
    while (budget.tryWithdraw()) {
      // Spends everything.
    }
    expect(delays(BUDGETED)).toEqual([]);
    expect(delays(UNBUDGETED)).toEqual([1000]);
  });

  it('pays for no retry that is not made', () => {
    const withdraw = jest.spyOn(budget, 'tryWithdraw');
    schedule.attemptStarted();
    schedule.attemptStarted();
    schedule.attemptStarted();
    expect(schedule.nextDelayMs(BUDGETED)).toBeUndefined();
    longestWaitMs = 0;
    expect(delays(BUDGETED)).toEqual([]);
    expect(withdraw).not.toHaveBeenCalled();
  });

  it('does not wait beyond the time limit of openings', () => {
    longestWaitMs = 700;
    expect(delays(UNBUDGETED)).toEqual([500]);
  });
});

describe('backoffMs', () => {
  it('doubles up to the limit', () => {
    expect([1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, 500, 8000, 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000,
    ]);
  });

  it('is shortened by at most half', () => {
    expect(backoffMs(2, 500, 8000, 0.5)).toBe(750);
    expect(backoffMs(1, 500, 8000, 1)).toBe(250);
  });
});
