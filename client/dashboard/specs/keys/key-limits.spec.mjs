import { describe, expect, it } from '@jest/globals';
import { limitsInUse, tokensToday } from '../../assets/data/key-limits.js';

const KEY = {
  requestsPerMinute: 30,
  concurrentRequests: null,
  tokensPerDay: 10_000,
  inUse: { requestsPerMinute: 24, concurrentRequests: 3, tokensPerDay: 500 },
};

describe('limitsInUse', () => {
  it('tells of each limit that there is how much of it is used, and whether that is nearly all', () => {
    expect(limitsInUse(KEY, { usedToday: 400, isDivided: false })).toEqual([
      {
        name: 'requestsPerMinute',
        text: '24 of 30 requests a minute',
        used: 24,
        limit: 30,
        isClose: true,
        isUsedUp: false,
      },
      {
        name: 'tokensPerDay',
        text: '500 of 10,000 tokens a day',
        used: 500,
        limit: 10_000,
        isClose: false,
        isUsedUp: false,
      },
    ]);
  });

  it('says which figures are those of one gateway among several', () => {
    const [requests, tokens] = limitsInUse(KEY, { usedToday: 9000, isDivided: true });
    expect(requests.text).toBe('24 here of 30 requests a minute');
    expect(tokens).toMatchObject({ text: '9,000 of 10,000 tokens a day', isClose: true, isUsedUp: false });
    const [, usedUp] = limitsInUse(KEY, { usedToday: 10_000, isDivided: true });
    expect(usedUp).toMatchObject({ isClose: true, isUsedUp: true });
  });
});

describe('tokensToday', () => {
  it('adds up the models of each key, on the day in UTC', () => {
    const row = (day, key, promptTokens) => ({ day, key, promptTokens, completionTokens: 1 });
    const rows = [
      row('2026-05-30', 'ann', 900),
      row('2026-05-31', 'ann', 10),
      row('2026-05-31', 'ann', 20),
      row('2026-05-31', 'bob', 5),
    ];
    expect([...tokensToday(rows, Date.parse('2026-05-31T23:59:59Z'))]).toEqual([
      ['ann', 32],
      ['bob', 6],
    ]);
  });
});
