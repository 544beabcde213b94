import { type Quantity, quartiles } from '../rows/cell-values.js';

/** How long a test took, at the end of its line: `(1.30s)`, `(812 ms)`, `in 2.4 s`, `0.01 sec`. */
const DURATION = /(?:^|[ ([])(\d{1,9}(?:\.\d{1,6})?) ?(ms|s)(?:ec|econds)?[)\]]?\.?[ \t]{0,9}$/;

/** The same within its line, as Surefire says it. */
const ELAPSED = /Time elapsed: (\d{1,9}(?:\.\d{1,6})?) (ms|s)\b/;

/** Characters at the end of a line in which a duration is looked for. */
const TAIL_CHARS = 40;

/** Characters of a line in which it is looked for elsewhere. */
const MAX_LINE = 400;

/** Durations from which on one can stand out, how often the median it is, the least of it in seconds, and how many are told. */
const MIN_DURATIONS = 24;
const MIN_TIMES = 5;
const MIN_SECONDS = 0.5;
const MAX_SLOW = 3;

/** Lines whose tests took far longer than nearly all others, although they passed. */
export function slowLines(lines: readonly string[]): number[] {
  const durations: Quantity[] = lines
    .flatMap((line, row) => {
      const [, amount, unit] =
        DURATION.exec(line.slice(-TAIL_CHARS)) ?? ELAPSED.exec(line.slice(0, MAX_LINE)) ?? [];
      return amount === undefined ? [] : [{ row, amount: Number(amount) / (unit === 'ms' ? 1000 : 1) }];
    })
    .sort((a, b) => a.amount - b.amount);
  const median = durations[Math.floor(durations.length / 2)]?.amount ?? 0;
  const least = Math.max(quartiles(durations).high, median * MIN_TIMES, MIN_SECONDS);
  return durations.length < MIN_DURATIONS
    ? []
    : durations
        .filter(({ amount }) => amount > least)
        .slice(-MAX_SLOW)
        .map(({ row }) => row);
}
