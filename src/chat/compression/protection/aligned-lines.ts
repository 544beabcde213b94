import { columnsOf } from '../kit/gutters.js';
import { mostFrequent } from '../kit/most-frequent.js';

/** Words of a line from which on lines with equally many are rows, and the share of them that must have as many. */
const MIN_ROW_WORDS = 6;
const MIN_ALIGNED = 0.9;

/** Columns from which on lines are rows, however many words their cells have: settings have a key, a sign and a value. */
const MIN_COLUMNS = 5;

/** Whether lines are rows of a table with aligned columns: of code or prose, hardly two lines have as many words. */
export function areAligned(lines: readonly string[]): boolean {
  const widths = lines.map((line) => line.slice(0, 400).trim().split(/\s+/).length);
  const width = mostFrequent(widths) ?? 0;
  const alike = widths.filter((each) => each === width).length;
  return (
    (width >= MIN_ROW_WORDS && alike >= lines.length * MIN_ALIGNED) || columnsOf(lines).length >= MIN_COLUMNS
  );
}
