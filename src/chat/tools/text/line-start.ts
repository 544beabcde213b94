/** Spaces, quote marks and list marks: a fence behind them still begins its line, as in a quoted list item. */
const LINE_PREFIX = /[-\s>*+\d.)]/;

/** Tracks whether a text that passes in pieces is at the beginning of a line. */
export class LineStart {
  /** Whether the current line holds nothing but a prefix so far. */
  isBlank = true;

  advance(text: string): void {
    const lineBreak = text.lastIndexOf('\n');
    this.isBlank ||= lineBreak >= 0;
    for (let i = lineBreak + 1; this.isBlank && i < text.length; i++) {
      this.isBlank = LINE_PREFIX.test(text.charAt(i));
    }
  }
}
