/** Spaces, quote marks and list marks: a fence behind them still begins its line. */
const PREFIX = /[-\s>*+\d.)]/;

/** Keeps track of whether a text, seen piece by piece, is at the beginning of a line. */
export class LineStart {
  isBlank = true;

  advance(text: string): void {
    const lineBreak = text.lastIndexOf('\n');
    this.isBlank ||= lineBreak >= 0;
    for (let i = lineBreak + 1; this.isBlank && i < text.length; i++) {
      this.isBlank = PREFIX.test(text.charAt(i));
    }
  }
}
