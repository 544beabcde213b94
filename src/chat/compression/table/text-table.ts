import { cellsOf } from './cell-table.js';

/** A table found in a text. */
export interface TextTable {
  readonly names: readonly string[];
  readonly rows: readonly { readonly line: string; readonly cells: readonly string[] }[];
  /** Lines before the first row, including the header. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether drawn lines separate the columns. */
  readonly isDrawn: boolean;
}

const RULER = /^[ \t]{0,20}[-+|=:─━┼├┤┬┴╞╪╡═│┌┐└┘ ]{3,4000}$/;

/** Lines of a title that may stand before the header. */
const MAX_PREAMBLE = 8;

/** Number of lines below a header from which on they are a table. */
const MIN_BODY = 8;

export function findTable(lines: readonly string[]): TextTable | undefined {
  return findDrawn(lines) ?? findAligned(lines);
}

/** A table with drawn borders: `| a | b |` with a ruler below the header, `a | b` as databases print it, boxes. */
function findDrawn(lines: readonly string[]): TextTable | undefined {
  const ruler = lines.findIndex(
    (line, index) =>
      index < MAX_PREAMBLE + 2 &&
      index > 0 &&
      /[-─━═]{3}/.test(line) &&
      RULER.test(line) &&
      cellsOf(lines[index - 1] ?? '').length > 1,
  );
  if (ruler < 0) {
    return undefined;
  }
  const names = cellsOf(lines[ruler - 1] ?? '');
  const rows: { line: string; cells: string[] }[] = [];
  let end = ruler + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    if (RULER.test(line) && line.trim() !== '') {
      continue;
    }
    const cells = cellsOf(line);
    if (cells.length < 2) {
      break;
    }
    rows.push({ line, cells });
  }
  return {
    names: unique(names),
    rows,
    before: lines.slice(0, ruler + 1),
    after: lines.slice(end),
    isDrawn: true,
  };
}

/** A table with aligned columns: two blanks or more between them, or one blank below a header in capitals. */
function findAligned(lines: readonly string[]): TextTable | undefined {
  for (let at = 0; at < Math.min(MAX_PREAMBLE, lines.length); at++) {
    const header = lines[at] ?? '';
    const wide = header.trim().split(/ {2,}|\t+/);
    const narrow = header.trim().split(/ +/);
    const table =
      (wide.length >= 3 && (isHeader(wide) || isRuler(lines[at + 1]))
        ? tableBelow(lines, at, wide, byGaps)
        : undefined) ??
      (narrow.length >= 4 && isCapitals(narrow)
        ? tableBelow(lines, at, narrow, byBlanks(narrow.length))
        : undefined);
    if (table) {
      return table;
    }
  }
  return undefined;
}

/** Whether a line is drawn below the names of columns. */
function isRuler(line = ''): boolean {
  return RULER.test(line) && line.trim() !== '';
}

function isHeader(names: readonly string[]): boolean {
  return (
    names.every((name) => /^\W{0,4}[A-Za-z%#][\w %#./()-]{0,40}$/.test(name)) &&
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
  split: (line: string) => string[],
): TextTable | undefined {
  const first = header + (isRuler(lines[header + 1]) ? 2 : 1);
  let end = first;
  while (end < lines.length && (lines[end] ?? '').trim() !== '') {
    end++;
  }
  const rows = lines.slice(first, end).map((line) => ({ line, cells: split(line) }));
  const width = mostFrequent(rows.map(({ cells }) => cells.length));
  const fitting = rows.filter(({ cells }) => Math.abs(cells.length - width) <= 1).length;
  if (rows.length < MIN_BODY || width < 3 || fitting < rows.length * 0.85) {
    return undefined;
  }
  // If the header has another number of words than there are columns, no word can be assigned to a column.
  const known = width === names.length;
  return {
    names: known ? unique(names) : Array.from({ length: width }, (_, index) => `column ${index + 1}`),
    // A row with fewer cells does not show which is empty, so the row as a whole is treated as unusual.
    rows: rows.map(({ line, cells }) => ({ line, cells: cells.length < width ? [] : cells })),
    before: lines.slice(0, first),
    after: lines.slice(end).filter((line) => line.trim() !== ''),
    isDrawn: false,
  };
}

function byGaps(line: string): string[] {
  return line.trim().split(/ {2,}|\t+/);
}

/** Splits lines at single blanks; the last column takes the rest of the line, such as a command line with blanks. */
function byBlanks(width: number): (line: string) => string[] {
  return (line) => {
    const words = line.trim().split(/ +/);
    return words.length <= width ? words : [...words.slice(0, width - 1), words.slice(width - 1).join(' ')];
  };
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  numbers.forEach((number) => counts.set(number, (counts.get(number) ?? 0) + 1));
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0] as const)[0];
}

/** Numbers repeated names, since columns are kept by name. */
function unique(names: readonly string[]): string[] {
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} ${index + 1}`));
}
