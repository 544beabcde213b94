/** Deepest nesting of a body; `JSON.parse` and the code behind it recurse. */
export const MAX_JSON_DEPTH = 64;

/** Most `{ } [ ] , :` in a body: a 12 MB object of unique keys would block the event loop for seconds. */
export const MAX_JSON_TOKENS = 250_000;

export type JsonScanFault = 'too_deep' | 'too_many_tokens';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Counts depth and structural characters of a JSON text while its bytes arrive. It does not validate: invalid JSON is
 * left to `JSON.parse`, which no text within these limits can stall. All bytes of interest are ASCII, so multi-byte
 * characters and chunk borders need no special care.
 */
export class JsonScanner {
  private depth = 0;
  private tokens = 0;
  private isInString = false;
  private isEscaped = false;

  /** Scans the next bytes; after a fault the scanner must not be used again. */
  scan(bytes: Uint8Array): JsonScanFault | undefined {
    let i = 0;
    while (i < bytes.length) {
      if (this.isInString) {
        i = this.skipString(bytes, i);
        continue;
      }
      switch (bytes[i++]) {
        case QUOTE:
          this.isInString = true;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          if (++this.depth > MAX_JSON_DEPTH) {
            return 'too_deep';
          }
          this.tokens++;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.depth--;
          this.tokens++;
          break;
        case COMMA:
        case COLON:
          this.tokens++;
          break;
        case undefined:
        default:
      }
      if (this.tokens > MAX_JSON_TOKENS) {
        return 'too_many_tokens';
      }
    }
    return undefined;
  }

  /** Index after the string's closing quote, or the end of the bytes. */
  private skipString(bytes: Uint8Array, start: number): number {
    let i = start;
    if (this.isEscaped) {
      this.isEscaped = false;
      i++;
    }
    for (; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) {
        this.isInString = false;
        return i + 1;
      }
      if (byte === BACKSLASH && ++i === bytes.length) {
        this.isEscaped = true;
      }
    }
    return i;
  }
}
