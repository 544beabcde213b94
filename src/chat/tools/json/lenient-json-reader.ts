import { runDetached } from '../text/incremental-parse.js';
import { type Input, type Parsing } from '../text/input.js';
import { cutOff, malformed, NotACallError } from '../text/parse-errors.js';
import { isWhitespace, readRun } from '../text/scan.js';
import { mayBeginComment, skipComment } from './comment.js';
import { jsonNumber } from './json-number.js';
import { beginsQuotedObject, isQuote, quoteToken } from './json-quotes.js';
import { readString } from './json-string.js';

/** Levels of nesting, far above any arguments of a tool; deeper JSON is malformed. */
const MAX_DEPTH = 100;

const NUMBER_RUN = /[-+.\d_eE]*/y;
const WORD_RUN = /[\w$-]*/y;

/** The literals of JSON and of Python, as JSON. */
const LITERALS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['undefined', 'null'],
]);

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
  ['"', '"'],
]);

/**
 * Reads JSON while it arrives, with the mistakes that models make, and writes it as sound, compact JSON. Makes only
 * repairs that lose nothing: commas, quotes, unquoted keys, literals of Python, comments, missing closers behind a
 * complete value. Numbers keep their digits. The keyword arguments of a call in Python, `(a=1)`, are read as an object.
 */
export class LenientJsonReader {
  /** Whether the input ended before all brackets were closed. */
  isCut = false;
  /** The open brackets, outermost first. */
  private readonly open: { readonly closer: string; isEmpty: boolean }[] = [];

  /** @param repair receives the name of each repair, e.g. `trailing_comma`; repeatedly if it is repeated */
  constructor(
    private readonly input: Input,
    private readonly repair: (name: string) => void,
  ) {}

  /** Skips white space and comments. @returns the character or quote token at the cursor, or `''` at the end */
  *next(): Parsing<string> {
    const { input } = this;
    for (;;) {
      while (input.at < input.text.length && isWhitespace(input.text.charCodeAt(input.at))) {
        input.at++;
      }
      const char = input.text.charAt(input.at);
      if (char === '<') {
        return (yield* quoteToken(input)) ?? char;
      }
      if (char === '') {
        if (input.isEnded) {
          return '';
        }
        yield;
      } else if (mayBeginComment(char) && (yield* skipComment(input))) {
        this.repair('comment');
      } else {
        return char;
      }
    }
  }

  /** Enters the object, array or argument list at the cursor. @throws MalformedCallError if nested too deep */
  enter(): void {
    if (this.open.length >= MAX_DEPTH) {
      throw malformed('The JSON is nested too deep.');
    }
    const closer = CLOSERS.get(this.input.text.charAt(this.input.at++))!;
    this.open.push({ closer, isEmpty: true });
  }

  /** Enters the quotes around an object if its own are not escaped: `"{"a": 1}"`. @returns whether they stand here */
  *enterQuotes(): Parsing<boolean> {
    const isQuoted = yield* beginsQuotedObject(this.input);
    if (isQuoted) {
      this.enter();
    }
    return isQuoted;
  }

  /** Leaves those quotes, of which the second may be missing. */
  *leaveQuotes(): Parsing<void> {
    this.open.pop();
    if ((yield* this.next()) === '"') {
      this.input.at++;
    }
  }

  /** Moves to the value of the next member. @returns its key, or undefined once the object is closed */
  *nextKey(): Parsing<string | undefined> {
    if (!(yield* this.nextItem())) {
      return undefined;
    }
    const isArgument = this.open.at(-1)!.closer === ')';
    const key = yield* this.key(isArgument);
    const char = yield* this.next();
    const separator = isArgument ? '=' : ':';
    if (char === separator) {
      this.input.at++;
    } else if (char === '{' || char === '[') {
      this.repair('missing_colon');
    } else {
      throw this.unexpected(char, `"${separator}" after the key ${JSON.stringify(key)}`);
    }
    return key;
  }

  private skipComma(): Parsing<string> {
    this.input.at++;
    return this.next();
  }

  /** Moves to the next item of an array. @returns false once the array is closed */
  *nextItem(): Parsing<boolean> {
    const bracket = this.open.at(-1)!;
    let char = yield* this.next();
    if (!bracket.isEmpty) {
      if (char === ',') {
        char = yield* this.skipComma();
        while (char === ',') {
          this.repair('doubled_comma');
          char = yield* this.skipComma();
        }
        if (char === '') {
          throw cutOff('after a comma');
        }
        if (this.isEnd(char)) {
          this.repair('trailing_comma');
        }
      } else if (!this.isEnd(char)) {
        this.repair('missing_comma');
      }
    }
    if (this.isEnd(char)) {
      this.leave(char);
      return false;
    }
    bracket.isEmpty = false;
    return true;
  }

  /** Reads a value of any kind. @param write receives compact JSON in pieces */
  *value(write: (json: string) => void): Parsing<void> {
    const char = yield* this.next();
    let separator = '';
    if (char === '{') {
      write('{');
      this.enter();
      const keys = new Set<string>();
      for (let key; (key = yield* this.nextKey()) !== undefined; separator = ',') {
        if (keys.has(key)) {
          this.repair('doubled_key');
          yield* this.value(() => undefined);
          continue;
        }
        keys.add(key);
        write(`${separator}${JSON.stringify(key)}:`);
        yield* this.value(write);
      }
      write('}');
    } else if (char === '[') {
      write('[');
      this.enter();
      for (; yield* this.nextItem(); separator = ',') {
        write(separator);
        yield* this.value(write);
      }
      write(']');
    } else if (isQuote(char)) {
      write('"');
      yield* this.string(write);
      write('"');
    } else {
      write(yield* this.scalar(char));
    }
  }

  /**
   * Reads a string.
   * @param write receives its content as JSON without quotes, in pieces
   * @param isKey whether a member of this name can follow; undefined if any can
   */
  *string(write: (content: string) => void, isKey?: (key: string) => boolean): Parsing<void> {
    const closers = this.open.map(({ closer }) => closer).join('');
    yield* runDetached(this.input, readString(this.input, { closers, isKey, write, repair: this.repair }));
  }

  /** Reads a key or a name: a string without quotes inside, so that the first quote closes it. */
  *name(): Parsing<string> {
    let content = '';
    const write = (piece: string): void => {
      content += piece;
    };
    yield* readString(this.input, { write, repair: this.repair });
    return JSON.parse(`"${content}"`) as string;
  }

  /** The error for a character or token that does not belong here. @param expected e.g. `a value` */
  unexpected(char: string, expected: string): Error {
    if (char === '') {
      return cutOff(`where ${expected} should stand`);
    }
    return malformed(`The JSON has ${JSON.stringify(char)} where ${expected} should stand.`);
  }

  private *key(isArgument: boolean): Parsing<string> {
    const char = yield* this.next();
    if (isQuote(char) && !isArgument) {
      return yield* this.name();
    }
    const word = yield* readRun(this.input, WORD_RUN);
    if (word === '') {
      throw this.unexpected(char, 'a key');
    }
    if (!isArgument) {
      this.repair('unquoted_key');
      // Its first quote may be all that is missing.
      this.input.at += this.input.text.charAt(this.input.at) === '"' ? 1 : 0;
    }
    return word;
  }

  /** Reads a number or a literal. A number is complete only if something follows it. */
  private *scalar(char: string): Parsing<string> {
    if (/[-+.\d]/.test(char)) {
      const number = yield* readRun(this.input, NUMBER_RUN);
      if (this.input.at === this.input.text.length) {
        throw cutOff('inside a number');
      }
      const sound = jsonNumber(number);
      if (sound === undefined) {
        throw malformed(`The JSON has ${number}, which is no number.`);
      }
      if (sound !== number) {
        this.repair('foreign_number');
      }
      return sound;
    }
    const word = yield* readRun(this.input, WORD_RUN);
    const literal = LITERALS.get(word);
    if (literal === undefined) {
      throw this.unexpected(word === '' ? char : word, 'a value');
    }
    if (literal !== word) {
      this.repair('python_literal');
    }
    return literal;
  }

  /** Whether no further item can begin here: at a closing bracket, at the end, or at markup behind the JSON. */
  private isEnd(char: string): boolean {
    return isCloser(char) || char === '' || char === '<' || char === '`';
  }

  /** Leaves the innermost bracket; a missing closer is a repair. */
  private leave(char: string): void {
    const { closer, isEmpty } = this.open.pop()!;
    if (char === closer) {
      this.input.at++;
      return;
    }
    if (char === '' && this.input.isCapped) {
      throw new NotACallError();
    }
    if (char === '' && isEmpty) {
      throw cutOff('behind an opening bracket');
    }
    this.isCut ||= char === '';
    if (isCloser(char) && !this.open.some((outer) => outer.closer === char)) {
      throw this.unexpected(char, `"${closer}"`);
    }
    this.repair('missing_closer');
  }
}

function isCloser(char: string): boolean {
  return char === '}' || char === ']' || char === ')';
}
