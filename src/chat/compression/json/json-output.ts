import { parsedJson } from '../../../common/text/parsed-json.js';
import { LogLines } from '../log/log-lines.js';
import { type Columns } from '../rows/column-cells.js';

/** Share of the rows that must hold a line of output, and share of such cells that must end as lines do. */
const MIN_FILLED = 0.4;
const MIN_ENDED = 0.9;

/** Share of the rows from which on those that a log would keep are no selection, and lines below an error that still are. */
const MAX_KEPT = 1 / 3;
const LINES_BELOW = 5;

/** A string whose last character is a line break. */
const ENDED = /\\n"$/;

/**
 * The rows that a log would keep, where rows hold the lines that a program printed (`go test -json`, logs of
 * containers): below an error, its details are in rows that nothing else tells from the others. Of output without
 * repetition, only errors and the lines below them.
 * @returns none for other rows
 */
export function keptOutput(columns: Columns): readonly number[] {
  for (const cells of columns.values()) {
    const filled = [...cells.keys()].filter((row) => cells[row] !== undefined);
    const ended = filled.filter((row) => ENDED.test(cells[row]?.slice(-3) ?? ''));
    if (filled.length >= cells.length * MIN_FILLED && ended.length >= filled.length * MIN_ENDED) {
      const log = new LogLines(filled.map((row) => lineOf(cells[row] ?? '')));
      const kept = filled.filter((_, line) => log.isKept(line));
      return kept.length <= cells.length * MAX_KEPT
        ? kept
        : filled.filter((_, line) => log.isKept(line) && isBelowError(log, line));
    }
  }
  return [];
}

/** Whether a line tells of an error, or stands just below one. */
function isBelowError(log: LogLines, line: number): boolean {
  const kinds = Array.from({ length: LINES_BELOW + 1 }, (_, above) => log.kindOf(line - above));
  return kinds.some((kind) => kind === 'alarm' || kind === 'failure');
}

function lineOf(cell: string): string {
  const value = parsedJson(cell);
  return typeof value === 'string' ? value.trimEnd().replaceAll('\n', ' ') : cell;
}
