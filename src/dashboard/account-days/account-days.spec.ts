import { describe, expect, it } from '@jest/globals';
import { accountDays, daysUpTo } from './account-days.js';

describe('daysUpTo', () => {
  it('names days of UTC over the end of a month, the present one last', () => {
    expect(daysUpTo(Date.UTC(2026, 2, 1, 23, 59), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});

describe('accountDays', () => {
  const days = ['2026-05-30', '2026-05-31'];
  const row = (day: string, account: string, requests: number, errors: number): object => ({
    day,
    account,
    requests,
    errors,
  });

  it('adds up keys and models of an account, and leaves out other days and requests without an account', () => {
    const rows = [
      row('2026-05-29', 'one', 9, 9),
      row('2026-05-30', 'one', 5, 1),
      row('2026-05-31', 'one', 3, 0),
      row('2026-05-31', 'one', 4, 4),
      row('2026-05-31', 'two', 1, 0),
      row('2026-05-31', '', 7, 7),
    ] as Parameters<typeof accountDays>[0];
    expect(accountDays(rows, days)).toEqual([
      { account: 'one', served: [4, 3], failed: [1, 4] },
      { account: 'two', served: [0, 1], failed: [0, 0] },
    ]);
  });
});
