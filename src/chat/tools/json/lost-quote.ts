import { type Input, type Parsing } from '../text/input.js';
import { peekText } from '../text/scan.js';

/** Characters of the longest text, as JSON, whose closing quote may be lost: a name or a path, not code. */
const MAX_TEXT = 200;

/** A comma and white space at the end of a text, as JSON. */
const TRAILING_COMMA = /,(?:[ \t]|\\[nrt])*$/;

/**
 * A key, up to the beginning of its value, or behind a short one. If that has a brace and a quote behind it, all of it
 * stands within the text. Group 1: the key.
 */
const KEY =
  /^"([\w$-]+)"\s*:\s*(?!(?:"[^"\\]*"|[\w.-]+)\s*\}\s*")(?:["[{]|(?:-?[\d.]+|true|false|null)\s*[,}])/;
const MAX_KEY = 128;

/**
 * Writes a text whose closing quote may be lost: `{"city": "Oslo, "days": 3}`. A comma at its end is held back, since it
 * stands between two members then.
 */
export class CommaHolder {
  private held = '';
  private length = 0;

  constructor(private readonly next: (content: string) => void) {}

  readonly write = (content: string): void => {
    this.length += content.length;
    const text = this.held + content;
    const comma = this.length <= MAX_TEXT ? text.search(TRAILING_COMMA) : -1;
    const end = comma < 0 ? text.length : comma;
    this.held = text.slice(end);
    if (end > 0) {
      this.next(text.slice(0, end));
    }
  };

  /** Ends the text with the comma. */
  end(): void {
    if (this.held !== '') {
      this.next(this.held);
    }
    this.held = '';
  }

  /** Ends the text without it. */
  drop(): void {
    this.held = '';
  }

  /** Whether the quote at the cursor, with a comma right before it, opens a key that can follow. Consumes nothing. */
  *opensKey(input: Input, isKey: (key: string) => boolean): Parsing<boolean> {
    if (this.held === '') {
      return false;
    }
    const key = KEY.exec(yield* peekText(input, MAX_KEY))?.[1];
    return key !== undefined && isKey(key);
  }
}
