/** Where the columns of an aligned table are: by the words of its header, or by the pieces of a ruler below it. */
export interface ColumnLayout {
  readonly names: readonly string[];
  /** Cells of a line, empty where there is nothing; undefined if a word stands across the gap between two columns. */
  readonly cellsOf: (line: string) => string[] | undefined;
}

/** Place of a column: that of its name, from which its cells may reach out to both sides. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Share of the lines that may have a word in the gap between two columns, as wide cells move all behind them. */
const MAX_ACROSS = 0.5;

/** Share of the lines that must have a word on both sides of a single blank in the header for it to part two columns. */
const MIN_FILLED = 0.5;

/** Most words of a header, or pieces of a ruler: each is looked for in each line. */
const MAX_WORDS = 200;

/** Pieces of a ruler from which on each stands below a column. */
const MIN_PIECES = 3;

/**
 * The layout of lines below a header; undefined if they do not stand below its names.
 * @param ruler the line between them, if there is one
 */
export function columnLayout(
  header: string,
  ruler: string | undefined,
  lines: readonly string[],
): ColumnLayout | undefined {
  const pieces = spansOf(ruler ?? '');
  const words = pieces.length < MIN_PIECES ? spansOf(header) : pieces;
  if (words.length > MAX_WORDS) {
    return undefined;
  }
  const spans = words === pieces ? pieces : withoutInnerBlanks(words, lines);
  const cuts = spans.slice(1).map((span, index) => cutBetween(spans[index] ?? span, span, lines));
  if (cuts.some((cut) => cut === undefined)) {
    return undefined;
  }
  const places = [0, ...cuts.map(Number)];
  const split = (line: string): string[] => places.map((from, index) => line.slice(from, places[index + 1]));
  return {
    names: split(header).map((name) => name.trim()),
    cellsOf: (line) => {
      const isAcross = places.some((at) => at > 0 && isFilled(line, at - 1));
      return isAcross ||
        spans.some((span, index) => !touches(line, span, places[index] ?? 0, places[index + 1]))
        ? undefined
        : split(line).map((cell) => cell.trim());
    },
  };
}

/** The words of a line. */
function spansOf(line: string): Span[] {
  return [...line.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

/** Joins words of a header that are one name, `CONTAINER ID`: the cells below are in the way, or below one word only. */
function withoutInnerBlanks(words: readonly Span[], lines: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const word of words) {
    const last = spans.at(-1);
    if (last && word.start - last.end === 1 && !partsCells(last, word, lines)) {
      spans[spans.length - 1] = { start: last.start, end: word.end };
    } else {
      spans.push(word);
    }
  }
  return spans;
}

function partsCells(left: Span, right: Span, lines: readonly string[]): boolean {
  const fits = lines.filter((line) => !isFilled(line, left.end));
  const filled = fits.filter(
    (line) =>
      line.slice(left.start, left.end).trim() !== '' && line.slice(right.start, right.end).trim() !== '',
  );
  return fits.length >= lines.length * (1 - MAX_ACROSS) && filled.length >= fits.length * MIN_FILLED;
}

/** Place behind the widest gap between two columns; undefined if there is none. */
function cutBetween(left: Span, right: Span, lines: readonly string[]): number | undefined {
  const places = Array.from({ length: right.start - left.end }, (_, index) => left.end + index);
  const across = places.map((at) => lines.filter((line) => isFilled(line, at)).length);
  const least = Math.min(...across);
  if (least > lines.length * MAX_ACROSS) {
    return undefined;
  }
  let best = 0;
  let cut: number | undefined;
  let run = 0;
  across.forEach((count, index) => {
    run = count === least ? run + 1 : 0;
    if (run >= best && run > 0) {
      best = run;
      cut = (places[index] ?? 0) + 1;
    }
  });
  return cut;
}

function isFilled(line: string, at: number): boolean {
  return at < line.length && line.charAt(at) !== ' ';
}

/** Whether the cell of a column is empty or stands, in part at least, below its name. */
function touches(line: string, { start, end }: Span, from: number, to: number | undefined): boolean {
  return line.slice(from, to).trim() === '' || line.slice(start, end).trim() !== '';
}
