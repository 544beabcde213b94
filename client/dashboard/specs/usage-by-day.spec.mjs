import { describe, expect, it } from '@jest/globals';
import { usageByDay } from '../assets/data/usage-by-day.js';

describe('usageByDay', () => {
  it('has a bar for every day, adds the keys up, and leaves earlier days out', () => {
    const rows = [
      { day: '2026-05-28', promptTokens: 1000, completionTokens: 1000 },
      { day: '2026-05-29', promptTokens: 10, completionTokens: 1 },
      { day: '2026-05-29', promptTokens: 20, completionTokens: 2 },
      { day: '2026-05-31', promptTokens: 30, completionTokens: 3 },
    ];
    expect(usageByDay(rows, 3, Date.parse('2026-05-31T23:59:59Z'))).toEqual({
      series: {
        t: ['2026-05-29', '2026-05-30', '2026-05-31'].map((day) => Date.parse(day)),
        bucketMs: 86_400_000,
        tokensIn: [30, 0, 30],
        tokensOut: [3, 0, 3],
      },
      totals: { tokensIn: 60, tokensOut: 6 },
    });
  });
});
