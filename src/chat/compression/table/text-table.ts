/** A table found in a text. */
export interface TextTable {
  readonly names: readonly string[];
  readonly rows: readonly TextRow[];
  /** Lines before the first row, including the header. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether drawn lines separate the columns. */
  readonly isDrawn: boolean;
}

interface TextRow {
  /** The line, or the lines of a row that goes on over several. */
  readonly line: string;
  /** A cell for each column, empty where there is nothing; undefined if it is uncertain which cell is which. */
  readonly cells: readonly string[] | undefined;
}

/** Lines of a title that may stand before the header. */
export const MAX_PREAMBLE = 8;

/** Lines behind a closing ruler, such as sums, up to which they are no rows. */
const MAX_CLOSING_LINES = 3;

const RULER = /^[ \t]{0,20}[-+|=:─━┼├┤┬┴╞╪╡═│┌┐└┘ ]{3,4000}$/;

/** Whether a line is drawn below the names of columns, or between rows. */
export function isRuler(line = ''): boolean {
  return RULER.test(line) && line.trim() !== '';
}

/** Number of lines of a table's body that are rows or rulers between them: all up to a single ruler with sums behind it. */
export function bodyLength(lines: readonly string[]): number {
  const end = lines.findLastIndex((line) => !isRuler(line)) + 1;
  const rulers = [...lines.slice(0, end).keys()].filter((at) => isRuler(lines[at]));
  const [closing] = rulers;
  return closing !== undefined && rulers.length === 1 && end - closing <= MAX_CLOSING_LINES + 1
    ? closing
    : lines.length;
}

/** Numbers repeated names, since columns are kept by name. */
export function numberRepeated(names: readonly string[]): string[] {
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} ${index + 1}`));
}
