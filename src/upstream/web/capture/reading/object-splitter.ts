import { LineTooLongError } from '../../../decoding/line-splitter.js';

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Finds the JSON objects in text that arrives in arbitrary pieces, whatever stands between them: nothing, the commas of
 * a list, lengths, boundaries, headers. Each piece is scanned once, so that a long object in tiny pieces stays linear.
 */
export class ObjectSplitter {
  private unfinished = '';
  private depth = 0;
  /** Whether nothing but blanks has followed the brace: what goes on with neither a quote nor a brace is no object. */
  private isBegun = false;
  private isInString = false;
  private isEscaped = false;

  /**
   * @param onObject called with the text of each object; of one that is cut off, at the end
   * @param limit longest object in UTF-16 units
   */
  constructor(
    private readonly onObject: (text: string) => void,
    private readonly limit: number,
  ) {}

  /** @throws LineTooLongError; the splitter is then of no further use */
  push(text: string): void {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.isBegun && BLANKS.has(code)) {
        continue;
      }
      if (this.isBegun && code !== QUOTE && code !== CLOSE) {
        // E.g. a byte of a length.
        this.depth = 0;
        this.unfinished = '';
      }
      this.isBegun = this.depth === 0 && code === OPEN;
      if (this.isBegun) {
        start = at;
        this.depth = 1;
      } else if (this.depth > 0 && this.closes(code)) {
        this.keep(text.slice(start, at + 1));
        this.report();
      }
    }
    if (this.depth > 0) {
      this.keep(text.slice(start));
    }
  }

  end(): void {
    if (this.depth > 0) {
      this.report();
    }
  }

  /** Takes the next character of an object and tells whether it is its last one. */
  private closes(code: number): boolean {
    if (this.isInString) {
      this.isInString = this.isEscaped || code !== QUOTE;
      this.isEscaped = !this.isEscaped && code === BACKSLASH;
    } else if (code === QUOTE) {
      this.isInString = true;
    } else if (code === OPEN) {
      this.depth++;
    } else if (code === CLOSE) {
      this.depth--;
    }
    return this.depth === 0;
  }

  private keep(text: string): void {
    if (this.unfinished.length + text.length > this.limit) {
      throw new LineTooLongError(this.limit);
    }
    this.unfinished += text;
  }

  private report(): void {
    const { unfinished } = this;
    this.unfinished = '';
    this.depth = 0;
    this.onObject(unfinished);
  }
}

/** The JSON objects in a whole text. */
export function objectsIn(text: string): string[] {
  const objects: string[] = [];
  const splitter = new ObjectSplitter((object) => objects.push(object), Infinity);
  splitter.push(text);
  return objects;
}
