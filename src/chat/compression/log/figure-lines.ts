import { isTimed } from '../protection/source-looks.js';
import { cellNumber } from '../rows/cell-values.js';

/** Number of lines up to which figures are kept whole. */
const MAX_FIGURES = 60;

/** Share of the words behind the name that must be numbers. */
const MIN_NUMBERS = 0.5;

/** Characters of each line that are looked at. */
const MAX_LINE = 400;

/**
 * Whether similar lines are a report of figures, as of a benchmark: each begins with a different name, and numbers
 * make up half of what is behind it. Lines with times are events in a log.
 * @param lines of one template
 */
export function areFigures(lines: readonly string[]): boolean {
  if (lines.length > MAX_FIGURES || isTimed(lines[0] ?? '')) {
    return false;
  }
  const rows = lines.map((line) => line.slice(0, MAX_LINE).trim().split(/\s+/));
  const names = new Set(rows.map(([name = '']) => name).filter((name) => /^[A-Za-z]/.test(name)));
  return names.size === lines.length && rows.every(([, ...rest]) => areNumbers(rest));
}

function areNumbers(words: readonly string[]): boolean {
  const numbers = words.filter((word) => cellNumber(word) !== undefined).length;
  return numbers > 0 && numbers >= words.length * MIN_NUMBERS;
}
