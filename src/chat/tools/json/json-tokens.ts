import { type Input, type Parsing } from '../text/input.js';
import { cutOff, malformed } from '../text/parse-errors.js';
import { peekText } from '../text/scan.js';
import { readBareText } from './bare-text.js';
import { mayBeginComment, skipComment } from './comment.js';
import { isJsonSpace } from './json-layout.js';
import { isQuote, quoteToken } from './json-quotes.js';

/** What stands right behind a value. */
const BEHIND_VALUE = /[,}\])]/;

/** An open bracket. */
export interface OpenBracket {
  readonly closer: string;
  isEmpty: boolean;
  /** Begins what stands between a key and its value. */
  separator: string;
}

/** Tells what stands at the cursor in JSON that a model writes, and skips what stands between its tokens. */
export class JsonTokens {
  /** Whether the string at the cursor has no escapes: `r'\d'` of Python. */
  protected isRaw = false;
  /** Whether a comment stands right before the cursor, unless that is the heading of a text. */
  private isBehindComment = false;
  /** The open brackets, outermost first. */
  protected readonly open: OpenBracket[] = [];

  /** @param repair receives the name of each repair */
  constructor(
    readonly input: Input,
    protected readonly repair: (name: string) => void,
  ) {}

  /** Skips white space and comments. @returns the character or quote token at the cursor, or `''` at the end */
  *next(): Parsing<string> {
    const { input } = this;
    this.isBehindComment = false;
    for (;;) {
      while (input.at < input.text.length && isJsonSpace(input.text.charCodeAt(input.at))) {
        input.at++;
      }
      const char = input.text.charAt(input.at);
      const token = char === '<' ? yield* quoteToken(input) : undefined;
      if (token !== undefined) {
        return token;
      }
      if (char === '') {
        if (input.isEnded) {
          return '';
        }
        yield;
      } else if (mayBeginComment(char) && (yield* skipComment(input))) {
        this.repair('comment');
        this.isBehindComment = true;
      } else if ((char === 'r' || char === 'u') && this.isInPython && (yield* beginsPrefixed(input))) {
        this.isRaw = char === 'r';
        this.repair('python_literal');
        input.at++;
      } else {
        return char;
      }
    }
  }

  /** Moves behind this character if it comes next. */
  protected *skipNext(char: string): Parsing<void> {
    // The cursor is read behind the wait, which moves it.
    if ((yield* this.next()) === char) {
      this.input.at++;
    }
  }

  /** Reads a text at the cursor that lacks its quotes. @returns undefined if there is none */
  *bareText(): Parsing<string | undefined> {
    return this.isBehindComment ? undefined : yield* readBareText(this.input);
  }

  /** The error for a character or token that does not belong here. @param expected e.g. `a value` */
  unexpected(char: string, expected: string): Error {
    if (char === '') {
      return cutOff(`where ${expected} should stand`);
    }
    return malformed(`The JSON has ${JSON.stringify(char)} where ${expected} should stand.`);
  }

  /** Skips a token for a quote in front of what goes on, as Gemma writes it behind a text in quotes. */
  protected *skipStrayToken(char: string): Parsing<string> {
    if (char.length <= 1 || !BEHIND_VALUE.test((yield* peekText(this.input, char.length + 1)).slice(-1))) {
      return char;
    }
    this.repair('stray_quote');
    this.input.at += char.length;
    return yield* this.next();
  }

  /** Whether this stands among the arguments of a call in Python. */
  protected get isInPython(): boolean {
    return this.open.some(({ closer }) => closer === ')');
  }
}

/** Whether a quote stands behind the letter at the cursor. Consumes nothing. */
function* beginsPrefixed(input: Input): Parsing<boolean> {
  return isQuote((yield* peekText(input, 2)).charAt(1));
}
