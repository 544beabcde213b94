/**
 * One value of a JSON text as a span of it. Values are never converted, so numbers of any size and strings in any
 * notation stay as they were written.
 */
export type JsonSpan = JsonScalarSpan | JsonArraySpan | JsonObjectSpan;

interface JsonPlace {
  readonly start: number;
  readonly end: number;
}

interface JsonScalarSpan extends JsonPlace {
  readonly kind: 'string' | 'number' | 'word';
}

export interface JsonArraySpan extends JsonPlace {
  readonly kind: 'array';
  readonly items: readonly JsonSpan[];
}

export interface JsonObjectSpan extends JsonPlace {
  readonly kind: 'object';
  /** Keys as written, escapes included, without their quotes; one for each item. */
  readonly keys: readonly string[];
  readonly items: readonly JsonSpan[];
}

/** Depth of nesting beyond which a text is not read; data has less, and recursion must end. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads the JSON value at `start`, white space before it allowed; undefined if there is no complete value. */
export function readJsonSpan(text: string, start = 0): JsonSpan | undefined {
  return new JsonReader(text, start).value(0);
}

/** Index of the next character that is not JSON white space, or the length of the text. */
export function skipJsonSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      return at;
    }
    at++;
  }
}

class JsonReader {
  private readonly text: string;
  private at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  value(depth: number): JsonSpan | undefined {
    this.at = skipJsonSpace(this.text, this.at);
    const start = this.at;
    switch (this.text[start]) {
      case '{':
        return depth < MAX_DEPTH ? this.object(start, depth) : undefined;
      case '[':
        return depth < MAX_DEPTH ? this.array(start, depth) : undefined;
      case '"':
        return this.skipString() ? { kind: 'string', start, end: this.at } : undefined;
      case undefined:
        return undefined;
      default:
        return this.wordOrNumber(start);
    }
  }

  private array(start: number, depth: number): JsonSpan | undefined {
    const items: JsonSpan[] = [];
    this.at++;
    if (this.take(']')) {
      return { kind: 'array', start, end: this.at, items };
    }
    do {
      const item = this.value(depth + 1);
      if (!item) {
        return undefined;
      }
      items.push(item);
    } while (this.take(','));
    return this.take(']') ? { kind: 'array', start, end: this.at, items } : undefined;
  }

  private object(start: number, depth: number): JsonSpan | undefined {
    const keys: string[] = [];
    const items: JsonSpan[] = [];
    this.at++;
    if (this.take('}')) {
      return { kind: 'object', start, end: this.at, keys, items };
    }
    do {
      this.at = skipJsonSpace(this.text, this.at);
      const keyStart = this.at;
      if (this.text.charCodeAt(keyStart) !== QUOTE || !this.skipString()) {
        return undefined;
      }
      const key = this.text.slice(keyStart + 1, this.at - 1);
      const item = this.take(':') ? this.value(depth + 1) : undefined;
      if (!item) {
        return undefined;
      }
      keys.push(key);
      items.push(item);
    } while (this.take(','));
    return this.take('}') ? { kind: 'object', start, end: this.at, keys, items } : undefined;
  }

  private take(char: string): boolean {
    this.at = skipJsonSpace(this.text, this.at);
    if (this.text[this.at] !== char) {
      return false;
    }
    this.at++;
    return true;
  }

  private skipString(): boolean {
    const { text } = this;
    for (let i = this.at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        this.at = i + 1;
        return true;
      }
      if (code === BACKSLASH) {
        i++;
      } else if (code === 0x0a) {
        return false;
      }
    }
    return false;
  }

  private wordOrNumber(start: number): JsonScalarSpan | undefined {
    let end = start;
    while (isScalarCode(this.text.charCodeAt(end))) {
      end++;
    }
    const slice = this.text.slice(start, Math.min(end, start + 400));
    this.at = end;
    if (slice === 'true' || slice === 'false' || slice === 'null') {
      return { kind: 'word', start, end };
    }
    return /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,5})?$/.test(slice)
      ? { kind: 'number', start, end }
      : undefined;
  }
}

/** Whether a character can be part of a number, `true`, `false` or `null`. */
function isScalarCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e
  );
}
