import { BACKSLASH, NEWLINE, TAB } from './characters.js';

/** Length of `\u` and its digits. */
export const HEX_ESCAPE = 6;

/** Receives characters one after the other, with their offsets in a text. */
export interface CharacterSink {
  take(code: number, at: number): void;
}

/**
 * Decodes the escapes of JSON strings in one pass: `\n`, `\t`, `\u00e9`, with any number of backslashes before them,
 * as in a string within a string. Other backslashes are dropped.
 */
export class Unescaper {
  private state: 'none' | 'backslash' | 'hex' = 'none';
  private hex = 0;
  private hexDigits = 0;

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
      case 'hex': {
        const value = hexValue(code);
        if (value < 0) {
          this.state = 'none';
          this.push(code, at);
        } else {
          this.hex = this.hex * 16 + value;
          this.hexDigits++;
          if (this.hexDigits === 4) {
            this.state = 'none';
            this.sink.take(this.hex, at - HEX_ESCAPE + 1);
          }
        }
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
    } else if (letter === 'u') {
      this.state = 'hex';
      this.hex = 0;
      this.hexDigits = 0;
    } else {
      this.sink.take(code, at);
    }
  }
}

function hexValue(code: number): number {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
}
