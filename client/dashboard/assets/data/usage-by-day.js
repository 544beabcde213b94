import { sum } from './sum.js';

const DAY_MS = 86_400_000;

/**
 * Usage as the chart shows it, with a bar for every day.
 *
 * @param {readonly { day: string, promptTokens: number, completionTokens: number }[]} rows
 * @param {number} days
 * @param {number} now Unix milliseconds
 */
export function usageByDay(rows, days, now) {
  const last = Math.floor(now / DAY_MS) * DAY_MS;
  const t = Array.from({ length: days }, (_, index) => last - (days - 1 - index) * DAY_MS);
  const tokensIn = t.map(() => 0);
  const tokensOut = t.map(() => 0);
  for (const { day, promptTokens, completionTokens } of rows) {
    const at = t.indexOf(Date.parse(day));
    if (at >= 0) {
      tokensIn[at] += promptTokens;
      tokensOut[at] += completionTokens;
    }
  }
  return {
    series: { t, bucketMs: DAY_MS, tokensIn, tokensOut },
    totals: { tokensIn: sum(tokensIn), tokensOut: sum(tokensOut) },
  };
}
