/** Length in characters from which on the same end of two lines is left out of the second, and what is shown of it. */
const MIN_END = 120;
const SHOWN = 24;

/** Words that an end must have: columns of figures end alike by chance, and are told apart by nothing. */
const MIN_WORDS = 8;

/** Long lines with which a line is compared: those of other hosts or tasks may stand between. */
const MAX_KNOWN = 4;

/** Tells the long ends of lines once, such as the same failure of one host after the other. */
export class LineEnds {
  private known: readonly string[] = [];

  /** The line, without a long end that one of the last long lines has as well. Its beginning tells which that is. */
  short(line: string): string {
    if (line.length < MIN_END) {
      return line;
    }
    const start = Math.min(...this.known.map((other) => startOfSame(line, other)), line.length);
    const blank = line.indexOf(' ', start + SHOWN);
    if (line.length - start >= MIN_END && blank >= 0 && saysMuch(line.slice(start))) {
      return `${line.slice(0, blank)} [… ends as above]`;
    }
    this.known = [line, ...this.known].slice(0, MAX_KNOWN);
    return line;
  }
}

function saysMuch(end: string): boolean {
  return (end.match(/[a-z]{3,40}/gi)?.length ?? 0) >= MIN_WORDS;
}

/** Index from which on a line ends as another one does. */
function startOfSame(line: string, other: string): number {
  const most = Math.min(line.length, other.length);
  let same = 0;
  while (
    same < most &&
    line.charCodeAt(line.length - 1 - same) === other.charCodeAt(other.length - 1 - same)
  ) {
    same++;
  }
  return line.length - same;
}
