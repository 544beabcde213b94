import { isWhitespace } from '../text/scan.js';
import { parseTagAt } from '../text/tags.js';
import { mayBeginComment } from './comment.js';
import { isForeignComma, isJsonSpace } from './json-layout.js';
import { isQuote, quotesOf } from './json-quotes.js';

/** Characters behind a quote that are looked at. If they decide nothing, the quote counts as closing. */
const MAX_LOOKAHEAD = 256;

const KEY_CHAR = /[\w$-]/;

/** The beginning of a member that stands behind the arguments in a call, and that files of JSON hardly have there. */
const BEHIND_ARGUMENTS =
  /^\s*["'](?:(?:id|call_id|tool_call_id|index|thoughts?|reasoning|status)["']\s*:|type["']\s*:\s*["']function["'])/;

/** As much of a member as tells whether it is one of those. */
const WHOLE_MEMBER = /:\s*(?:\S{10}|\S+[,}\s])/;

/** What stands behind a call: markup, or another call. */
const BEHIND_CALL = /^(?:[<`[{]|,\s*\{)/;

/** First characters of the values of JSON but strings. */
const VALUE_START = /[-\d{[tfnTFN]/;

/** Where a value stands. */
export interface ValuePlace {
  /**
   * Whether an argument of this name can follow, for an argument that has unescaped quotes inside already: it may be code
   * or JSON itself, so that only what belongs to the call ends it; undefined if any key can follow.
   */
  readonly isKey?: (key: string) => boolean;
  /** Begins what stands between keys and values there; by default as in JSON, or in Python. */
  readonly separator?: string;
  /** Whether a list stands around the outermost bracket, whose end may follow where a brace is missing. */
  readonly isListed?: boolean;
}

/**
 * Whether a quote ends its value: whether JSON goes on behind it. Models forget to escape quotes inside strings, and
 * behind those something else follows.
 * @param at offset of the text behind the quote
 * @param closers of the brackets that are open around the value, outermost first
 * @returns `partial` if the text is too short to tell
 */
export function endsValue(
  text: string,
  at: number,
  closers: string,
  place: ValuePlace = {},
): boolean | 'partial' {
  return new Lookahead(text, at, closers, place).endsValue();
}

class Lookahead {
  private hasLineBreak = false;
  private hasClosedBracket = false;
  private readonly limit: number;
  private readonly isKey: ValuePlace['isKey'];
  private readonly separator: string;
  private readonly isListed: boolean;

  constructor(
    private readonly text: string,
    private at: number,
    private closers: string,
    { isKey, separator = closers.endsWith(')') ? '=' : ':', isListed = false }: ValuePlace,
  ) {
    this.limit = at + MAX_LOOKAHEAD;
    this.isKey = isKey;
    this.separator = separator;
    this.isListed = isListed;
  }

  endsValue(): boolean | 'partial' {
    const char = this.skipWhitespace();
    if (char === ',') {
      this.at++;
      // In an object a key must follow the comma; in an array anything can.
      return this.closers.endsWith(']') || this.closers === '' || this.continuesObject();
    }
    if (isForeignComma(char) && this.closers.endsWith('}')) {
      this.at++;
      return this.continuesObject();
    }
    return this.isCloser(char) ? this.continuesBehindBrackets() : this.continuesWithoutComma();
  }

  /** Whether a key with its colon follows, or the end of the object behind a trailing comma. */
  private continuesObject(): boolean | 'partial' {
    let char = this.skipWhitespace();
    while (char === ',') {
      this.at++;
      char = this.skipWhitespace();
    }
    let key: string;
    if (isQuote(char)) {
      const { closers } = quotesOf(char)!;
      this.at++;
      key = this.skipWhile((one) => !closers.includes(one));
      this.at++;
    } else if (KEY_CHAR.test(char)) {
      key = this.skipWhile((one) => KEY_CHAR.test(one));
      // The first quote of a key may be missing.
      if (this.text.slice(this.at) === '"') {
        return 'partial';
      }
      this.at += this.text.startsWith('":', this.at) ? 1 : 0;
    } else {
      return this.partialAtEnd(mayBeginComment(char) || this.isEndOfJson(char));
    }
    const isMember = this.partialAtEnd(this.skipWhitespace() === this.separator);
    return isMember === true ? !this.isKey || this.isKey(key) : isMember;
  }

  /** Whether closing brackets match the open ones, and JSON goes on if they leave some open. */
  private continuesBehindBrackets(): boolean | 'partial' {
    for (let char = this.skipWhitespace(); this.isCloser(char); char = this.skipWhitespace()) {
      const opened = this.closers.lastIndexOf(char);
      if (opened < 0 && char === ']' && !this.isListed) {
        return this.closesCall();
      }
      if (opened <= 0) {
        const endsList = char === ']' && this.isListed && this.closers.length === 1;
        return (opened === 0 || this.closers === '' || endsList) && this.isEndOfCall();
      }
      this.closers = this.closers.slice(0, opened);
      this.hasClosedBracket = true;
      this.at++;
    }
    if (this.skipWhitespace() !== ',') {
      return this.continuesWithoutComma();
    }
    this.at++;
    return !this.isKey || this.closers.endsWith(']') || this.goesOnBehindArguments();
  }

  /** Whether nothing but brackets stands before the tag that closes the call, so that one of them is mistaken. */
  private closesCall(): boolean | 'partial' {
    while (this.isCloser(this.skipWhitespace())) {
      this.at++;
    }
    const char = this.skipWhitespace();
    return char === '<' ? this.continuesWithoutComma() : char === '' && this.partialAtEnd(false);
  }

  /** Whether a member of the call itself follows the arguments, while text inside a value would go on with another one. */
  private goesOnBehindArguments(): boolean | 'partial' {
    const rest = this.text.slice(this.at, this.limit);
    if (BEHIND_ARGUMENTS.test(rest)) {
      return true;
    }
    return this.text.length < this.limit && !WHOLE_MEMBER.test(rest) ? 'partial' : false;
  }

  /**
   * Whether the call is over: markup or another call follows, or nothing with a further quote up to the next closing tag.
   * A value that goes on has at least its own closing quote before it.
   */
  private isEndOfCall(): boolean | 'partial' {
    if (!this.isKey) {
      return true;
    }
    while (this.isCloser(this.skipWhitespace())) {
      this.at++;
    }
    const rest = this.text.slice(this.at, this.limit);
    const tag = rest.indexOf('</');
    if (BEHIND_CALL.test(rest)) {
      return true;
    }
    if ((tag < 0 ? rest : rest.slice(0, tag)).includes('"')) {
      return false;
    }
    return tag >= 0 || this.text.length >= this.limit ? true : 'partial';
  }

  private continuesWithoutComma(): boolean | 'partial' {
    const char = this.skipWhitespace();
    const next = this.text.charAt(this.at + 1);
    switch (char) {
      case '':
        return this.partialAtEnd(false);
      case '/':
        return next === '' ? 'partial' : next === '/' || next === '*';
      case '`':
        return next === '' ? 'partial' : next === '`';
      case '<': {
        const tag = next === '|' ? undefined : parseTagAt(this.text, this.at);
        return tag === 'partial' ? tag : next === '|' || (tag !== undefined && tag.isClosing);
      }
      default:
        return this.at > this.limit || this.continuesWithItem(char);
    }
  }

  /**
   * Whether a member or an item follows whose comma was forgotten: any string on the next line, while on the same line
   * one may be a quotation, so that it must be a key with a value, or have a comma or the end of the list behind it.
   */
  private continuesWithItem(char: string): boolean | 'partial' {
    if (this.closers === '' || !(isQuote(char) || char === '{')) {
      return false;
    }
    if (char === '{') {
      return this.hasClosedBracket && this.closers.endsWith(']');
    }
    if (this.hasLineBreak && !this.isKey) {
      return true;
    }
    if (!this.closers.endsWith(']')) {
      return this.continuesMember(char);
    }
    return this.continuesList(char);
  }

  /** Whether a quoted word follows, and behind it a colon and the beginning of a value. */
  private continuesMember(quote: string): boolean | 'partial' {
    const { closers } = quotesOf(quote)!;
    this.at++;
    const key = this.skipWhile((one) => KEY_CHAR.test(one));
    for (const isExpected of [(char: string) => closers.includes(char), (char: string) => char === ':']) {
      const char = this.skipWhitespace();
      if (char === '' || !isExpected(char)) {
        return this.partialAtEnd(false);
      }
      this.at++;
    }
    const char = this.skipWhitespace();
    return this.partialAtEnd(
      (isQuote(char) || (char !== '' && VALUE_START.test(char))) &&
        (!this.isKey || (this.hasClosedBracket ? BEHIND_ARGUMENTS.test(`"${key}":`) : this.isKey(key))),
    );
  }

  /** Whether strings without quotes inside follow, and behind them a comma or the end of the list. */
  private continuesList(quote: string): boolean | 'partial' {
    const { closers } = quotesOf(quote)!;
    let char = quote;
    while (char === quote && this.at <= this.limit && isWhitespace(this.text.charCodeAt(this.at - 1))) {
      this.at++;
      this.skipWhile((one) => !closers.includes(one));
      this.at++;
      char = this.skipWhitespace();
    }
    return this.partialAtEnd(char === ',' || char === ']');
  }

  private isCloser(char: string): boolean {
    const isQuote = char === '"' && this.closers.endsWith(char);
    return char === '}' || char === ']' || (char === ')' && this.closers.includes(char)) || isQuote;
  }

  private isEndOfJson(char: string): boolean {
    return this.isCloser(char) || char === '<' || char === '`';
  }

  /** The given answer, unless a negative one may change with more text. Beyond the limit always true. */
  private partialAtEnd(found: boolean): boolean | 'partial' {
    if (this.at > this.limit) {
      return true;
    }
    return found || this.at < this.text.length ? found : 'partial';
  }

  /** @returns the character behind the white space, empty at the end of the text */
  private skipWhitespace(): string {
    while (isJsonSpace(this.text.charCodeAt(this.at)) && this.at <= this.limit) {
      this.hasLineBreak ||= this.text.charCodeAt(this.at) === 0x0a;
      this.at++;
    }
    return this.text.charAt(this.at);
  }

  /** @returns the text that is skipped */
  private skipWhile(isWanted: (char: string) => boolean): string {
    const start = this.at;
    while (this.at < this.text.length && this.at <= this.limit && isWanted(this.text.charAt(this.at))) {
      this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    }
    return this.text.slice(start, this.at);
  }
}
