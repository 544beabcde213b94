import { mostFrequent } from '../kit/most-frequent.js';
import { columnLayout } from './column-layout.js';
import { bodyLength, isRuler, MAX_PREAMBLE, numberRepeated, type TextTable } from './text-table.js';

/** Number of lines below a header from which on they are a table, and of their columns. */
const MIN_BODY = 8;
const MIN_COLUMNS = 3;

/** Share of the lines that must have the table's columns. */
const MIN_FITTING = 0.85;

/** Share of the lines whose cells must stand below the names of their columns. */
const MIN_PLACED = 0.4;

type Split = (line: string) => string[];

/** The columns of a table, and the cells of each line; undefined for a line that does not fit. */
interface Reading {
  readonly names: readonly string[];
  readonly cells: readonly (string[] | undefined)[];
}

/** A table with aligned columns: two blanks or more between them, or one blank below a header in capitals. */
export function findAlignedTable(lines: readonly string[]): TextTable | undefined {
  for (let at = 0; at < Math.min(MAX_PREAMBLE, lines.length); at++) {
    const header = lines[at] ?? '';
    const wide = byGaps(header);
    const narrow = header.trim().split(/ +/);
    const table =
      (wide.length >= MIN_COLUMNS && (isHeader(wide) || isRuler(lines[at + 1]))
        ? tableBelow(lines, at, wide, byGaps)
        : undefined) ??
      (narrow.length > MIN_COLUMNS && isCapitals(narrow)
        ? tableBelow(lines, at, narrow, byBlanks(narrow.length))
        : undefined);
    if (table) {
      return table;
    }
  }
  return undefined;
}

function isHeader(names: readonly string[]): boolean {
  return (
    names.every((name) => /^\W{0,4}[A-Za-z%#][\w %#./()-]{0,40}:?$/.test(name)) &&
    names.some((name) => /^[A-Z]/.test(name))
  );
}

function isCapitals(names: readonly string[]): boolean {
  return names.filter((name) => /^[A-Z%#+][A-Z0-9%#+/_-]{0,20}$/.test(name)).length >= names.length * 0.6;
}

function tableBelow(
  lines: readonly string[],
  header: number,
  names: readonly string[],
  split: Split,
): TextTable | undefined {
  const ruler = isRuler(lines[header + 1]) ? lines[header + 1] : undefined;
  const first = header + (ruler === undefined ? 1 : 2);
  const blank = lines.findIndex((line, index) => index >= first && line.trim() === '');
  const body = lines.slice(first, blank < 0 ? undefined : blank);
  const length = bodyLength(body);
  const rows = body.slice(0, length).filter((line) => !isRuler(line));
  const reading =
    rows.length < MIN_BODY
      ? undefined
      : (readByLayout(lines[header] ?? '', ruler, rows) ?? readBySplitting(names, rows, split));
  return (
    reading && {
      names: numberRepeated(reading.names),
      rows: rows.map((line, row) => ({ line, cells: reading.cells[row] })),
      before: lines.slice(0, first),
      after: lines.slice(first + length).filter((line) => line.trim() !== ''),
      isDrawn: false,
    }
  );
}

/** Reads cells by their places below the names of the columns, which shows where one is empty. */
function readByLayout(
  header: string,
  ruler: string | undefined,
  lines: readonly string[],
): Reading | undefined {
  if (/\t/.test(header)) {
    return undefined;
  }
  const layout = columnLayout(header, ruler, lines);
  if (!layout || layout.names.length < MIN_COLUMNS) {
    return undefined;
  }
  const { names, cellsOf } = layout;
  const placed = lines.map(cellsOf);
  // A wide cell moves all behind it. It is read if the other lines show that blanks alone part the cells as well.
  const split =
    areMost(placed, MIN_PLACED) &&
    [byGaps, byBlanks(names.length)].find((each) =>
      lines.every((line, row) => !placed[row] || isEqual(each(line), placed[row])),
    );
  const cells = placed.map(
    (found, row) => found ?? (split ? ofWidth(split(lines[row] ?? ''), names.length) : undefined),
  );
  return areMost(cells) ? { names, cells } : undefined;
}

/** Reads cells by the blanks between them. A line with fewer or more of them does not show which cell is which. */
function readBySplitting(
  names: readonly string[],
  lines: readonly string[],
  split: Split,
): Reading | undefined {
  const all = lines.map(split);
  const width = mostFrequent(all.map(({ length }) => length)) ?? 0;
  const cells = all.map((each) => ofWidth(each, width));
  if (width < MIN_COLUMNS || !areMost(cells)) {
    return undefined;
  }
  // If the header has another number of words than there are columns, no word can be assigned to a column.
  const isNamed = width === names.length;
  return {
    names: isNamed ? names : Array.from({ length: width }, (_, index) => `column ${index + 1}`),
    cells,
  };
}

function areMost(cells: readonly (string[] | undefined)[], share = MIN_FITTING): boolean {
  return cells.filter((each) => each !== undefined).length >= cells.length * share;
}

function ofWidth(cells: string[] | undefined, width: number): string[] | undefined {
  return cells?.length === width ? cells : undefined;
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((cell, index) => cell === others[index]);
}

function byGaps(line: string): string[] {
  return line.trim().split(/ {2,}|\t+/);
}

/** Splits lines at single blanks; the last column takes the rest of the line, such as a command line with blanks. */
function byBlanks(width: number): Split {
  return (line) => {
    const words = line.trim().split(/ +/);
    return words.length <= width ? words : [...words.slice(0, width - 1), words.slice(width - 1).join(' ')];
  };
}
