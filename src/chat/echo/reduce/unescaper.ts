import { BACKSLASH, type CharacterSink, NEWLINE, TAB, takeDecoded } from './characters.js';

/** Length of `\u` and its digits. */
export const HEX_ESCAPE = 6;

/** Most digits of an escape in braces, as in `\u{1f600}`. */
const MAX_BRACED = 6;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/**
 * Decodes, in one pass, the escapes of strings in JSON and other languages (`\n`, `\t`, `\u00e9`, `\u{e9}`, `\x3c`) with
 * any number of backslashes before them, as in a string within a string. Other backslashes are dropped.
 */
export class Unescaper {
  private state: 'none' | 'backslash' | 'unicode' | 'hex' | 'braced' = 'none';
  private hex = 0;
  private hexDigits = 0;
  /** Digits that the escape must have. */
  private width = 0;
  private startedAt = 0;

  constructor(private readonly sink: CharacterSink) {}

  /** Whether the next character may belong to an escape. */
  get isWithin(): boolean {
    return this.state !== 'none';
  }

  push(code: number, at: number): void {
    switch (this.state) {
      case 'none':
        if (code === BACKSLASH) {
          this.state = 'backslash';
        } else {
          this.sink.take(code, at);
        }
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
    takeDecoded(this.sink, this.hex, this.startedAt);
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
      this.sink.take(code, at);
    }
  }
}

function hexValue(code: number): number {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
}
