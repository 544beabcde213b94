import { cellsOf } from './cell-table.js';
import { bodyLength, isRuler, MAX_PREAMBLE, numberRepeated, type TextTable } from './text-table.js';

/** Signs by which `psql` says that a cell goes on in the next line. */
const GOES_ON = new Set(['+', '↵']);

/** A table with drawn borders: `| a | b |` with a ruler below the header, `a | b` as databases print it, boxes. */
export function findDrawnTable(lines: readonly string[]): TextTable | undefined {
  const at = lines.findIndex(
    (line, index) =>
      index < MAX_PREAMBLE + 2 &&
      index > 0 &&
      /[-─━═]{3}/.test(line) &&
      isRuler(line) &&
      cellsOf(lines[index - 1] ?? '').length > 1,
  );
  if (at < 0) {
    return undefined;
  }
  const ruler = lines[at] ?? '';
  const names = cellsIn(lines[at - 1] ?? '', ruler);
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !isRuler(line) && cellsIn(line, ruler).length < 2);
  const body = below.slice(0, end < 0 ? undefined : end);
  const length = bodyLength(body);
  return {
    names: numberRepeated(names),
    rows: wholeRows(body.slice(0, length), marginsOf(ruler)).map(({ lines: parts, texts }) => ({
      line: parts.join('\n'),
      cells: joined(
        texts.map((text) => cellsIn(text, ruler)),
        names.length,
      ),
    })),
    before: lines.slice(0, at + 1),
    after: below.slice(length),
    isDrawn: true,
  };
}

/** Cells of a line. A bar at an end is a border only if the ruler has one there. */
function cellsIn(line: string, ruler: string): string[] {
  const drawn = ruler.trim();
  return cellsOf(line, { left: !/^[-=:─━═]/.test(drawn), right: !/[-=:─━═]$/.test(drawn) });
}

/**
 * Places behind the cells of a line, in front of each bar and of its end. None in Markdown, whose rulers have bars: there no
 * cell goes on, and one may end in a sign, as `C++` does.
 */
function marginsOf(ruler: string): number[] {
  if (ruler.includes('|')) {
    return [];
  }
  const bars = [...ruler.matchAll(/[+┼]/g)].map(({ index }) => index - 1);
  return [...bars, ruler.length - 1].filter((at) => at > 0);
}

interface WholeRow {
  readonly lines: string[];
  /** The lines without the signs that they go on. */
  readonly texts: string[];
}

/** The lines by row, without the rulers between them. */
function wholeRows(lines: readonly string[], margins: readonly number[]): WholeRow[] {
  const rows: WholeRow[] = [];
  let isOpen = false;
  for (const line of lines.filter((each) => !isRuler(each))) {
    const signs = margins.filter((at) => GOES_ON.has(line.charAt(at)));
    if (!isOpen) {
      rows.push({ lines: [], texts: [] });
    }
    rows.at(-1)?.lines.push(line);
    rows.at(-1)?.texts.push(signs.reduce((text, at) => `${text.slice(0, at)} ${text.slice(at + 1)}`, line));
    isOpen = signs.length > 0;
  }
  return rows;
}

/** One cell for each column, of lines that belong together; undefined if a line has more or fewer. */
function joined(parts: readonly (readonly string[])[], width: number): string[] | undefined {
  return parts.every(({ length }) => length === width)
    ? Array.from({ length: width }, (_, column) =>
        parts
          .map((cells) => cells[column])
          .filter((cell) => cell !== '')
          .join(' '),
      )
    : undefined;
}
