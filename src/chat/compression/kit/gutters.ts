/** Lines from which on their blanks stand below each other by no chance. */
const MIN_LINES = 12;

/** Characters of a line in which columns are looked for. */
const MAX_WIDTH = 400;

/** Share of the lines that must be blank in a gutter, and filled in a column. */
const MIN_BLANK = 0.95;
const MIN_FILLED = 0.9;

/** Place of a column: the first character, and that behind the last one. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Columns of lines, told by the gutters between them: places where nearly all lines are blank. What stands behind a gutter
 * in few lines only belongs to the column before.
 * @returns none for few lines, and for those with tabs
 */
export function columnsOf(lines: readonly string[]): Span[] {
  if (lines.length < MIN_LINES || lines.some((line) => line.includes('\t'))) {
    return [];
  }
  const cut = lines.map((line) => line.slice(0, MAX_WIDTH).trimEnd());
  const filledAt = new Uint32Array(MAX_WIDTH);
  for (const line of cut) {
    for (let at = 0; at < line.length; at++) {
      filledAt[at] = (filledAt[at] ?? 0) + (line[at] === ' ' ? 0 : 1);
    }
  }
  const most = lines.length * (1 - MIN_BLANK);
  const columns: { start: number; end: number }[] = [];
  for (let start = 0; start < MAX_WIDTH; start++) {
    if ((filledAt[start] ?? 0) <= most) {
      continue;
    }
    const end = filledAt.findIndex((count, at) => at > start && count <= most);
    const column = { start, end: end < 0 ? MAX_WIDTH : end };
    const filled = cut.filter((line) => line.slice(start, column.end).trim() !== '').length;
    const last = columns.at(-1);
    if (filled >= lines.length * MIN_FILLED) {
      columns.push(column);
    } else if (last) {
      last.end = column.end;
    }
    start = column.end;
  }
  return columns;
}
