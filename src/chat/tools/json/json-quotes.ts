import { type Input, isWhitespace, type Parsing, startsWith } from '../text/input.js';
import { parseTagAt } from '../text/tags.js';

/** A way in which models quote strings. */
interface Quotes {
  readonly closers: string;
  /** What cannot be taken over as it stands. */
  readonly special: RegExp;
  readonly repair?: string;
}

const QUOTES: ReadonlyMap<string, Quotes> = new Map([
  ['"', quotes('"')],
  ["'", quotes("'", 'single_quotes')],
  ['“', quotes('“”', 'smart_quotes')],
  ['”', quotes('“”', 'smart_quotes')],
  ['‘', quotes('‘’', 'smart_quotes')],
  ['’', quotes('‘’', 'smart_quotes')],
]);

function quotes(closers: string, repair?: string): Quotes {
  return { closers, special: new RegExp(`["\\\\\\u0000-\\u001f${closers}]`, 'g'), repair };
}

/** Tokens that some models put around strings instead, in which nothing is escaped. */
const QUOTE_TOKENS = ['<|"|>', '<escape>'];

/** @param char a character, or a token that stands for quotes */
export function isQuote(char: string): boolean {
  return QUOTES.has(char) || QUOTE_TOKENS.includes(char);
}

/** The token at the cursor that stands for quotes. Consumes nothing. */
export function* quoteToken(input: Input): Parsing<string | undefined> {
  for (const token of QUOTE_TOKENS) {
    if (yield* startsWith(input, token)) {
      return token;
    }
  }
  return undefined;
}

export function quotesOf(char: string): Quotes | undefined {
  return QUOTES.get(char);
}

/** What is not clear within so many characters closed its string: no more is ever held back. */
const MAX_LOOK = 256;

const WORD = /[\w$-]/;

/**
 * Whether JSON can go on behind a quote as if it had closed a value. Models forget to escape quotes inside strings;
 * those are followed by something else. `partial` if what is there does not decide it.
 * @param closers of the brackets that are open around the value, outermost first
 */
export function mayFollowValue(text: string, at: number, closers: string): boolean | 'partial' {
  return new Glance(text, at, closers).followsValue();
}

class Glance {
  private hasLineBreak = false;
  private readonly limit: number;

  constructor(
    private readonly text: string,
    private at: number,
    private closers: string,
  ) {
    this.limit = at + MAX_LOOK;
  }

  followsValue(): boolean | 'partial' {
    const char = this.skipWhitespace();
    if (char === ',') {
      this.at++;
      // Behind the comma of a member comes a key, behind that of an item anything.
      return this.closers.endsWith(']') || this.closers === '' || this.beginsMember();
    }
    return this.isCloser(char) ? this.followsBrackets() : this.followsWithoutComma();
  }

  /** Whether a key and its colon come next, or what ends the object in spite of the comma. */
  private beginsMember(): boolean | 'partial' {
    const char = this.skipWhitespace();
    if (isQuote(char)) {
      const { closers } = quotesOf(char)!;
      this.at++;
      this.skipWhile((one) => !closers.includes(one));
      this.at++;
    } else if (WORD.test(char)) {
      this.skipWhile((one) => WORD.test(one));
    } else {
      return this.decided(char === '/' || this.isEndOfJson(char));
    }
    return this.decided(this.skipWhitespace() === (this.closers.endsWith(')') ? '=' : ':'));
  }

  /** Closing brackets: they close what is open, and if they leave some open, JSON has to go on behind them. */
  private followsBrackets(): boolean | 'partial' {
    for (let char = this.skipWhitespace(); this.isCloser(char); char = this.skipWhitespace()) {
      const opened = this.closers.lastIndexOf(char);
      if (opened <= 0) {
        return opened === 0 || this.closers === '';
      }
      this.closers = this.closers.slice(0, opened);
      this.at++;
    }
    return this.skipWhitespace() === ',' ? true : this.followsWithoutComma();
  }

  private followsWithoutComma(): boolean | 'partial' {
    const char = this.skipWhitespace();
    const next = this.text.charAt(this.at + 1);
    switch (char) {
      case '':
        return this.decided(false);
      case '/':
        return next === '' ? 'partial' : next === '/' || next === '*';
      case '`':
        return next === '' ? 'partial' : next === '`';
      case '<': {
        const tag = next === '|' ? undefined : parseTagAt(this.text, this.at);
        return tag === 'partial' ? tag : next === '|' || (tag !== undefined && tag.isClosing);
      }
      default:
        // Between members the comma may have been forgotten; on one line it is more likely a quotation.
        return this.at > this.limit || (this.hasLineBreak && isQuote(char));
    }
  }

  private isCloser(char: string): boolean {
    return char === '}' || char === ']' || (char === ')' && this.closers.includes(char));
  }

  private isEndOfJson(char: string): boolean {
    return this.isCloser(char) || char === '<' || char === '`';
  }

  /** What was found, unless the text was too short to find it. */
  private decided(found: boolean): boolean | 'partial' {
    if (this.at > this.limit) {
      return true;
    }
    return found || this.at < this.text.length ? found : 'partial';
  }

  private skipWhitespace(): string {
    while (isWhitespace(this.text.charCodeAt(this.at)) && this.at <= this.limit) {
      this.hasLineBreak ||= this.text.charCodeAt(this.at) === 0x0a;
      this.at++;
    }
    return this.text.charAt(this.at);
  }

  private skipWhile(isWanted: (char: string) => boolean): void {
    while (this.at < this.text.length && this.at <= this.limit && isWanted(this.text.charAt(this.at))) {
      this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    }
  }
}
