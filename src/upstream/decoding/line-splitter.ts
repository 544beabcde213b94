/** Longest line or event that a decoder keeps, in UTF-16 units: 8 Mi. */
export const MAX_LINE_LENGTH = 8 * 1024 * 1024;

/** The upstream sent a line (or event) longer than the limit; nothing after it can be trusted. */
export class LineTooLongError extends Error {
  override name = 'LineTooLongError';

  constructor(limit: number) {
    super(`A line is longer than ${limit} characters.`);
  }
}

/**
 * Cuts text that arrives in arbitrary pieces into lines, which end with LF, CRLF or CR. One byte order mark at the
 * very beginning is dropped. Also the reader of NDJSON: one JSON text a line.
 *
 * Each piece is scanned once and the unfinished line is never scanned again, so that one long line in tiny pieces
 * stays linear. A line is reported as soon as its end is seen, also when a CR may yet turn out to be half of a CRLF.
 */
export class LineSplitter {
  private unfinished = '';
  private atStart = true;
  private endedWithCr = false;

  /**
   * @param onLine called with each line, without its end
   * @param limit longest line in UTF-16 units
   */
  constructor(
    private readonly onLine: (line: string) => void,
    private readonly limit = MAX_LINE_LENGTH,
  ) {}

  /** @throws LineTooLongError; the splitter is then of no further use */
  push(text: string): void {
    if (text === '') {
      return;
    }
    let from = this.skipAtFront(text);
    // A piece without any CR is searched for one only once.
    let cr = text.indexOf('\r', from);
    let lf = text.indexOf('\n', from);
    while (cr >= 0 || lf >= 0) {
      const isCr = cr >= 0 && (lf < 0 || cr < lf);
      const at = isCr ? cr : lf;
      this.report(text, from, at);
      from = at + 1;
      if (isCr && lf === from) {
        from++;
      }
      if (isCr) {
        this.endedWithCr = from === text.length && lf !== at + 1;
        cr = text.indexOf('\r', from);
      }
      if (lf >= 0 && lf < from) {
        lf = text.indexOf('\n', from);
      }
    }
    if (from < text.length) {
      this.checkLength(text.length - from);
      this.unfinished += from === 0 ? text : text.slice(from);
    }
  }

  /** Ends the input; reports the text after the last line end, if there is any. */
  end(): void {
    if (this.unfinished !== '') {
      this.report('', 0, 0);
    }
  }

  /** Length of the byte order mark, or of the LF of a divided CRLF, at the front of this piece: 0 or 1. */
  private skipAtFront(text: string): number {
    const skips = (this.atStart && text.startsWith('\uFEFF')) || (this.endedWithCr && text.startsWith('\n'));
    this.atStart = false;
    this.endedWithCr = false;
    return skips ? 1 : 0;
  }

  private report(text: string, from: number, to: number): void {
    this.checkLength(to - from);
    const line = this.unfinished === '' ? text.slice(from, to) : this.unfinished + text.slice(from, to);
    this.unfinished = '';
    this.onLine(line);
  }

  private checkLength(added: number): void {
    if (this.unfinished.length + added > this.limit) {
      throw new LineTooLongError(this.limit);
    }
  }
}
