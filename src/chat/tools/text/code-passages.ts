import { type Input, type Parsing, peek } from './input.js';

const BACKTICK_OR_LINE_BREAK = /[`\n]/g;
const LINE_BREAK = /\n/g;
const MIN_FENCE = 3;

/**
 * Reads code in Markdown and passes it as it is: nothing in it is a call. Inline code ends at its line's end at the
 * latest, since a backtick that is never closed is only a backtick.
 */
export class CodePassages {
  constructor(
    private readonly input: Input,
    private readonly pass: (text: string) => void,
  ) {}

  static isFence(length: number): boolean {
    return length >= MIN_FENCE;
  }

  /** Consumes the run of one character at the cursor. @returns its length */
  *run(mark: string): Parsing<number> {
    let length = 0;
    while ((yield* peek(this.input)) === mark.charCodeAt(0)) {
      this.input.at++;
      length++;
    }
    return length;
  }

  /** Inline code, from behind its opening backticks on. */
  *inline(length: number): Parsing<void> {
    while (yield* this.passUpTo(BACKTICK_OR_LINE_BREAK)) {
      if (this.input.text.charAt(this.input.at) === '\n' || (yield* this.passRun('`')) === length) {
        return;
      }
    }
  }

  /** A fenced block, from behind its opening run on, anywhere in its first line. */
  *fence(mark: string, length: number): Parsing<void> {
    if (mark === '`') {
      yield* this.passUpTo(BACKTICK_OR_LINE_BREAK);
      if (this.input.text.charAt(this.input.at) === '`') {
        // What opens a fence has no backticks behind it on its line.
        yield* this.inline(length);
        return;
      }
    }
    yield* this.fenceRest(mark, length, false);
  }

  /** The rest of a fenced block. */
  *fenceRest(mark: string, length: number, isLineStart: boolean): Parsing<void> {
    for (let isStart = isLineStart; ; isStart = true) {
      if (isStart && (yield* this.isClosed(mark, length))) {
        return;
      }
      if (!(yield* this.passUpTo(LINE_BREAK))) {
        return;
      }
      this.input.at++;
      this.pass('\n');
    }
  }

  /** Passes the beginning of a line. @returns whether the line closes the block */
  private *isClosed(mark: string, length: number): Parsing<boolean> {
    yield* this.passAll(' \t>');
    if ((yield* this.passRun(mark)) < length) {
      return false;
    }
    yield* this.passAll(' \t\r');
    const code = yield* peek(this.input);
    return code < 0 || code === 0x0a;
  }

  private *passRun(mark: string): Parsing<number> {
    const length = yield* this.run(mark);
    if (length > 0) {
      this.pass(mark.repeat(length));
    }
    return length;
  }

  private *passAll(chars: string): Parsing<void> {
    for (;;) {
      const code = yield* peek(this.input);
      const char = code < 0 ? '' : String.fromCharCode(code);
      if (char === '' || !chars.includes(char)) {
        return;
      }
      this.input.at++;
      this.pass(char);
    }
  }

  /** Passes what comes before a character of the pattern. @returns false if there is none before the end */
  private *passUpTo(pattern: RegExp): Parsing<boolean> {
    const { input } = this;
    for (;;) {
      pattern.lastIndex = input.at;
      const { text, at } = input;
      const end = pattern.test(text) ? pattern.lastIndex - 1 : text.length;
      input.at = end;
      if (end > at) {
        this.pass(text.slice(at, end));
      }
      if (end < text.length) {
        return true;
      }
      if (input.isEnded) {
        return false;
      }
      yield;
    }
  }
}
