/** Spaces, quote marks and list marks: a fence behind them still begins its line, as in a quoted list item. */
const LINE_PREFIX = /[-\s>*+\d.)]/;

/** Tracks whether a text that passes in pieces is at the beginning of a line, and in which line. */
export class LineStart {
  /** Number of pieces with a line break so far, and one: it differs from line to line. */
  number = 1;
  /** Whether the current line holds nothing but a prefix so far. */
  isBlank = true;
  private first = '';

  /** Whether the current line begins like a row of a table in Markdown. */
  get isTableRow(): boolean {
    return !this.isBlank && this.first === '|';
  }

  advance(text: string): void {
    const lineBreak = text.lastIndexOf('\n');
    if (lineBreak >= 0) {
      this.isBlank = true;
      this.number++;
    }
    for (let i = lineBreak + 1; this.isBlank && i < text.length; i++) {
      this.first = text.charAt(i);
      this.isBlank = LINE_PREFIX.test(this.first);
    }
  }
}
