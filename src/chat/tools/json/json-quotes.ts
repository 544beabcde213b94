import { type Input, type Parsing } from '../text/input.js';
import { peekDecisive, startsWith } from '../text/scan.js';

/** A kind of quotation mark around strings. */
export interface Quotes {
  /** The characters that can close the string. */
  readonly closers: string;
  /** Global pattern of the characters that JSON cannot take over unchanged. */
  readonly special: RegExp;
  /** The repair that such quotes mean; undefined for those of JSON. */
  readonly repair?: string;
}

const QUOTES: ReadonlyMap<string, Quotes> = new Map([
  ['"', quotes('"')],
  ["'", quotes("'", 'single_quotes')],
  ['“', quotes('“”', 'smart_quotes')],
  ['”', quotes('“”', 'smart_quotes')],
  ['‘', quotes('‘’', 'smart_quotes')],
  ['’', quotes('‘’', 'smart_quotes')],
  ['`', quotes('`', 'backticks')],
]);

function quotes(closers: string, repair?: string): Quotes {
  return { closers, special: new RegExp(`["\\\\\\u0000-\\u001f${closers}]`, 'g'), repair };
}

/** Tokens of Gemma and FunctionGemma in place of quotes; nothing between them is escaped. */
const QUOTE_TOKENS: readonly string[] = ['<|"|>', '<escape>'];

/** Whether a string begins with this character or token. */
export function isQuote(char: string): boolean {
  return QUOTES.has(char) || QUOTE_TOKENS.includes(char);
}

/** The token in place of quotes at the cursor; undefined if there is none. Consumes nothing. */
export function* quoteToken(input: Input): Parsing<string | undefined> {
  for (const token of QUOTE_TOKENS) {
    if (yield* startsWith(input, token)) {
      return token;
    }
  }
  return undefined;
}

/** An object in quotes whose own quotes are not escaped: `"{"a": 1}"`. */
const QUOTED_OBJECT = /^"\s*\{\s*"/;
const PARTIAL_QUOTED_OBJECT = /^"\s*(?:\{\s*)?$/;

/** Whether such an object begins at the cursor. Consumes nothing. */
export function* beginsQuotedObject(input: Input): Parsing<boolean> {
  return QUOTED_OBJECT.test(yield* peekDecisive(input, PARTIAL_QUOTED_OBJECT, Infinity));
}

/** The quotes that a character opens; undefined if it is none. */
export function quotesOf(char: string): Quotes | undefined {
  return QUOTES.get(char);
}
