import { runDetached } from '../text/incremental-parse.js';
import { type Input, type Parsing } from '../text/input.js';
import { cutOff, malformed, NotACallError } from '../text/parse-errors.js';
import { readBareKey, readSeparator, readUnclosedKey, skipRepeatedKey } from './json-key.js';
import { CLOSER_OF, isCloser, isEndOfItems, isForeignComma, precedesObject } from './json-layout.js';
import { beginsQuotedObject, isQuote } from './json-quotes.js';
import { readScalar } from './json-scalar.js';
import { readString } from './json-string.js';
import { JsonTokens, type OpenBracket } from './json-tokens.js';
import { readCollection } from './python-collection.js';

/** Levels of nesting, far above any arguments of a tool; deeper JSON is malformed. */
const MAX_DEPTH = 100;

/**
 * Reads JSON while it arrives, with the mistakes that models make, and writes it as sound, compact JSON. Makes only
 * repairs that lose nothing: commas, quotes, unquoted keys, literals of Python, comments, missing closers behind a
 * complete value. Numbers keep their digits. The keyword arguments of a call in Python, `(a=1)`, are read as an object.
 */
export class LenientJsonReader extends JsonTokens {
  /** Whether the input ended before all brackets were closed. */
  isCut = false;

  /**
   * @param repair receives the name of each repair, e.g. `trailing_comma`; repeatedly if it is repeated
   * @param isListed whether a list stands around what is read, whose end may follow where a brace is missing
   */
  constructor(
    input: Input,
    repair: (name: string) => void,
    private readonly isListed = false,
  ) {
    super(input, repair);
  }

  /** Enters the object, array or argument list at the cursor. @throws MalformedCallError if nested too deep */
  enter(): void {
    if (this.open.length >= MAX_DEPTH) {
      throw malformed('The JSON is nested too deep.');
    }
    const closer = CLOSER_OF.get(this.input.text.charAt(this.input.at++))!;
    this.open.push({ closer, isEmpty: true, separator: closer === ')' ? '=' : ':' });
  }

  /** Enters an object whose opening brace is missing in front of its first key. */
  enterUnopened(): void {
    this.repair('missing_opener');
    this.open.push({ closer: '}', isEmpty: true, separator: ':' });
  }

  /** Enters an object, whose brace models double that were shown templates. @returns whether it is doubled */
  *enterDoubled(): Parsing<boolean> {
    this.enter();
    const isDoubled = (yield* this.next()) === '{';
    if (isDoubled) {
      this.repair('double_braces');
      this.input.at++;
    }
    return isDoubled;
  }

  /** Leaves the second one of such braces, which may be missing. */
  *leaveDoubled(): Parsing<void> {
    yield* this.skipNext('}');
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
    yield* this.skipNext('"');
  }

  /** Moves to the value of the next member. @returns its key, or undefined once the object is closed */
  *nextKey(): Parsing<string | undefined> {
    if (!(yield* this.nextItem())) {
      return undefined;
    }
    const unclosed = yield* readUnclosedKey(this.input);
    if (unclosed !== undefined) {
      this.repair('unclosed_key');
      return unclosed;
    }
    const bracket = this.open.at(-1)!;
    const key = yield* this.key(bracket.closer === ')');
    yield* this.skipSeparator(key, bracket);
    yield* skipRepeatedKey(this.input, key, this.repair);
    return key;
  }

  /** Skips what stands between a key and its value, which may be from another language. */
  private *skipSeparator(key: string, bracket: OpenBracket): Parsing<void> {
    const char = yield* this.next();
    if (char === '{' || char === '[') {
      this.repair('missing_colon');
      return;
    }
    const written = yield* readSeparator(this.input);
    if (written === undefined) {
      throw this.unexpected(char, `"${bracket.separator}" after the key ${JSON.stringify(key)}`);
    }
    if (written !== bracket.separator) {
      this.repair('foreign_separator');
      bracket.separator = written.charAt(0);
    }
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
      char = yield* this.skipStrayToken(char);
      char = yield* this.skipSurplusBrace(char, bracket);
      if (isForeignComma(char)) {
        this.repair('foreign_separator');
        char = ',';
      }
      if (char === ',') {
        char = yield* this.skipComma();
        while (char === ',') {
          this.repair('doubled_comma');
          char = yield* this.skipComma();
        }
        if (char === '') {
          throw cutOff('after a comma');
        }
        if (isEndOfItems(char)) {
          this.repair('trailing_comma');
        } else if (this.isNextItem(char)) {
          this.leave(char);
          return false;
        }
      } else if (!isEndOfItems(char)) {
        this.repair('missing_comma');
      }
    }
    if (isEndOfItems(char)) {
      this.leave(char);
      return false;
    }
    bracket.isEmpty = false;
    return true;
  }

  /** Skips a brace too many behind an object in a list, `[{…}}, {…}]`, which the next object of the list follows. */
  private *skipSurplusBrace(char: string, { closer }: OpenBracket): Parsing<string> {
    if (char !== '}' || closer !== ']' || this.isListed || !(yield* precedesObject(this.input))) {
      return char;
    }
    this.repair('mistaken_closer');
    this.input.at++;
    return yield* this.next();
  }

  /** Reads a value of any kind. @param write receives compact JSON in pieces */
  *value(write: (json: string) => void): Parsing<void> {
    const char = yield* this.next();
    const isPython = (char === '{' || char === '(') && this.isInPython;
    const list = isPython ? yield* readCollection(this.input) : undefined;
    let separator = '';
    if (list) {
      this.repair('python_literal');
      yield* new LenientJsonReader(list, this.repair).value(write);
    } else if (char === '{') {
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
    } else if (isPython) {
      yield* this.inParentheses(write);
    } else {
      const scalar = yield* readScalar(this.input, this.repair);
      if (scalar.json === undefined) {
        throw this.unexpected(scalar.written || char, 'a value');
      }
      write(scalar.json);
    }
  }

  /** Reads a value of any kind. @returns its compact JSON */
  *json(): Parsing<string> {
    let json = '';
    yield* this.value((piece) => (json += piece));
    return json;
  }

  /** Reads a value in parentheses, which is one of several lines: `("a" "b")`. */
  private *inParentheses(write: (json: string) => void): Parsing<void> {
    this.repair('python_literal');
    this.enter();
    if (!(yield* this.nextItem())) {
      throw this.unexpected(')', 'a value');
    }
    yield* this.value(write);
    if (yield* this.nextItem()) {
      throw this.unexpected(yield* this.next(), 'the end of a value in parentheses');
    }
  }

  /**
   * Reads a string.
   * @param write receives its content as JSON without quotes, in pieces
   * @param isKey whether a member of this name can follow; undefined if any can
   */
  *string(write: (content: string) => void, isKey?: (key: string) => boolean): Parsing<void> {
    const closers = this.open.map(({ closer }) => closer).join('');
    const { isListed, isRaw, repair } = this;
    const options = {
      closers,
      separator: this.open.at(-1)?.separator,
      isListed,
      isRaw,
      isKey,
      write,
      repair,
    };
    this.isRaw = false;
    yield* runDetached(this.input, readString(this.input, options));
  }

  /** Reads a key or a name: a string without quotes inside, so that the first quote closes it. */
  *name(): Parsing<string> {
    let content = '';
    yield* readString(this.input, { write: (piece) => (content += piece), repair: this.repair });
    return JSON.parse(`"${content}"`) as string;
  }

  private *key(isArgument: boolean): Parsing<string> {
    const char = yield* this.next();
    if (isQuote(char)) {
      return yield* this.name();
    }
    const word = yield* readBareKey(this.input, isArgument);
    if (word === '') {
      throw this.unexpected(char, 'a key');
    }
    if (!isArgument) {
      this.repair('unquoted_key');
    }
    return word;
  }

  /** Whether the next item of the list around begins here, so that the brace of this one is missing. */
  private isNextItem(char: string): boolean {
    return char === '{' && this.isListed && this.open.length === 1 && this.open[0]!.closer === '}';
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
    const endsList = char === ']' && this.isListed;
    const isMistaken = isCloser(char) && !endsList && !this.open.some((outer) => outer.closer === char);
    this.input.at += isMistaken ? 1 : 0;
    this.repair(isMistaken ? 'mistaken_closer' : 'missing_closer');
  }
}
