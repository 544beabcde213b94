import { CharCode } from './char-code.js';
import { type Input, type Parsing } from './input.js';
import { peek } from './scan.js';

const BACKTICK_OR_LINE_BREAK = /[`\n]/g;
const LINE_BREAK = /\n/g;

/** Characters in the shortest fence: ``` or ~~~. */
const MIN_FENCE_LENGTH = 3;

/**
 * Passes code passages of Markdown through unchanged, because markup inside them is quoted and calls nothing. Inline
 * code ends at the end of its line at the latest, because a backtick without a partner is just a backtick.
 */
export class CodePassages {
  /** @param pass receives the consumed text in pieces; never an empty one */
  constructor(
    private readonly input: Input,
    private readonly pass: (text: string) => void,
  ) {}

  static isFence(length: number): boolean {
    return length >= MIN_FENCE_LENGTH;
  }

  /** Consumes the run of `mark` at the cursor without passing it on. @returns its length */
  *run(mark: string): Parsing<number> {
    let length = 0;
    while ((yield* peek(this.input)) === mark.charCodeAt(0)) {
      this.input.at++;
      length++;
    }
    return length;
  }

  /** Passes inline code, from behind its opening backticks. @param length of the run of backticks that closes it */
  *inline(length: number): Parsing<void> {
    while (yield* this.passUpTo(BACKTICK_OR_LINE_BREAK)) {
      if (this.input.text.charAt(this.input.at) === '\n' || (yield* this.passRun('`')) === length) {
        return;
      }
    }
  }

  /** Passes a fenced block, from behind its opening run. */
  *fence(mark: string, length: number): Parsing<void> {
    if (mark === '`') {
      yield* this.passUpTo(BACKTICK_OR_LINE_BREAK);
      if (this.input.text.charAt(this.input.at) === '`') {
        // The label of a backtick fence holds no backtick, so this is inline code.
        yield* this.inline(length);
        return;
      }
    }
    yield* this.fenceBody(mark, length, false);
  }

  /**
   * Passes a fenced block from inside its body, or from inside its first line.
   * @param isLineStart whether the cursor is at the start of a line, where the closing fence can stand
   */
  *fenceBody(mark: string, length: number, isLineStart: boolean): Parsing<void> {
    for (let isStart = isLineStart; ; isStart = true) {
      if (isStart && (yield* this.closesFence(mark, length))) {
        return;
      }
      if (!(yield* this.passUpTo(LINE_BREAK))) {
        return;
      }
      this.input.at++;
      this.pass('\n');
    }
  }

  /** Passes the beginning of a line, as far as it can be a closing fence. @returns whether it is one */
  private *closesFence(mark: string, length: number): Parsing<boolean> {
    yield* this.passAll(' \t>');
    if ((yield* this.passRun(mark)) < length) {
      return false;
    }
    yield* this.passAll(' \t\r');
    const code = yield* peek(this.input);
    return code < 0 || code === CharCode.lineFeed;
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

  /** Passes the text before the next character that a global pattern matches. @returns false if the answer ends first */
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
