import { AMPERSAND, BACKSLASH, LESS, NEWLINE, SPACE, TAB } from './characters.js';
import { entityCode, MAX_ENTITY, mayBeEntity, mayBeLineBreak } from './html-escapes.js';

/** Length of `\u` and its digits. */
export const HEX_ESCAPE = 6;

/** Most digits of an escape in braces, as in `\u{1f600}`. */
const MAX_BRACED = 6;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** Receives characters one after the other, with their offsets in a text. */
export interface CharacterSink {
  take(code: number, at: number): void;
}

/**
 * Decodes, in one pass, the escapes of strings in JSON and other languages (`\n`, `\t`, `\u00e9`, `\u{e9}`, `\x3c`) with
 * any number of backslashes before them, as in a string within a string, and those of HTML: `&lt;`, `&#39;`, `<br>`.
 * Other backslashes are dropped.
 */
export class Unescaper {
  private state: 'none' | 'backslash' | 'unicode' | 'hex' | 'braced' | 'html' = 'none';
  private hex = 0;
  private hexDigits = 0;
  /** Digits that the escape must have. */
  private width = 0;
  private startedAt = 0;
  /** Characters that may be an escape of HTML, from `&` or `<` on. */
  private html = '';

  constructor(private readonly sink: CharacterSink) {}

  /** Whether the next character may belong to an escape. */
  get isWithin(): boolean {
    return this.state !== 'none';
  }

  push(code: number, at: number): void {
    switch (this.state) {
      case 'none':
        this.begin(code, at);
        break;
      case 'backslash':
        this.unescapeLetter(code, at);
        break;
      case 'unicode':
        this.state = code === BRACE_OPEN ? 'braced' : 'hex';
        if (code !== BRACE_OPEN) {
          this.push(code, at);
        }
        break;
      case 'hex':
      case 'braced':
        this.takeDigit(code, at);
        break;
      case 'html':
        this.takeHtml(code, at);
    }
  }

  /** Ends the text and gives back what turned out to be no escape. */
  end(): void {
    this.replay();
  }

  private begin(code: number, at: number): void {
    if (code === BACKSLASH) {
      this.state = 'backslash';
    } else if (code === AMPERSAND || code === LESS) {
      this.state = 'html';
      this.html = String.fromCharCode(code);
      this.startedAt = at;
    } else {
      this.sink.take(code, at);
    }
  }

  private takeDigit(code: number, at: number): void {
    const isBraced = this.state === 'braced';
    if (isBraced && code === BRACE_CLOSE) {
      this.finishHex();
      return;
    }
    const value = hexValue(code);
    if (value < 0 || this.hexDigits >= (isBraced ? MAX_BRACED : this.width)) {
      this.state = 'none';
      this.push(code, at);
      return;
    }
    this.hex = this.hex * 16 + value;
    this.hexDigits++;
    if (!isBraced && this.hexDigits === this.width) {
      this.finishHex();
    }
  }

  private finishHex(): void {
    this.state = 'none';
    this.give(this.hex);
  }

  private takeHtml(code: number, at: number): void {
    const text = this.html + String.fromCharCode(code);
    const decoded = entityCode(text);
    if (decoded === AMPERSAND || decoded === LESS) {
      // Escaped twice: `&amp;lt;`, or a tag that was escaped.
      this.html = String.fromCharCode(decoded);
    } else if (decoded !== undefined) {
      this.state = 'none';
      this.give(decoded);
    } else if (text.length < MAX_ENTITY && (mayBeEntity(text) || mayBeLineBreak(text))) {
      this.html = text;
    } else {
      this.replay();
      this.push(code, at);
    }
  }

  /** Gives back characters that turned out to be no escape of HTML. They hold neither escapes nor line breaks. */
  private replay(): void {
    if (this.state === 'html') {
      this.state = 'none';
      for (let i = 0; i < this.html.length; i++) {
        this.sink.take(this.html.charCodeAt(i), this.startedAt + i);
      }
    }
  }

  private unescapeLetter(code: number, at: number): void {
    const letter = String.fromCharCode(code);
    if (code === BACKSLASH) {
      return;
    }
    this.state = 'none';
    if (letter === 'n' || letter === 'r') {
      this.sink.take(NEWLINE, at);
    } else if (letter === 't') {
      this.sink.take(TAB, at);
    } else if (letter === 'u' || letter === 'x') {
      this.state = letter === 'u' ? 'unicode' : 'hex';
      this.width = letter === 'u' ? 4 : 2;
      this.hex = 0;
      this.hexDigits = 0;
      this.startedAt = at - 1;
    } else {
      this.begin(code, at);
    }
  }

  /** Gives a decoded character, whose offset is that of its escape. A space of its own kind is a space. */
  private give(code: number): void {
    if (code > 0xffff) {
      const pair = String.fromCodePoint(Math.min(code, 0x10ffff));
      this.sink.take(pair.charCodeAt(0), this.startedAt);
      this.sink.take(pair.charCodeAt(1), this.startedAt + 1);
    } else if (code === AMPERSAND || code === LESS) {
      this.begin(code, this.startedAt);
    } else {
      this.sink.take(code === 0xa0 ? SPACE : code, this.startedAt);
    }
  }
}

function hexValue(code: number): number {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
}
