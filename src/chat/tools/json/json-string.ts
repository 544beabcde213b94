import { CharCode } from '../text/char-code.js';
import { type Input, type Parsing } from '../text/input.js';
import { cutOff } from '../text/parse-errors.js';
import { peekDecisive, peekText } from '../text/scan.js';
import { escapeText } from './escape-text.js';
import { type Quotes, quotesOf, quoteToken } from './json-quotes.js';
import { CommaHolder } from './lost-quote.js';
import { endsValue, type ValuePlace } from './value-end.js';
import { readVerbatimText } from './verbatim-text.js';

const SIMPLE_ESCAPES = '"\\/bfnrt';
const RAW_ESCAPES = '"';

/** The escapes in a path of Windows whose first backslash escapes nothing: its others mean themselves, too. */
const PATH_ESCAPES = '"\\';
const DRIVE = /^[A-Za-z]:$/;

const UNICODE_ESCAPE = /^\\u[\dA-Fa-f]{4}/;
const HIGH_SURROGATE_ESCAPE = /^\\u[dD][89abAB]/;
/** Quotes of Python around several lines. */
const TRIPLE_QUOTES: readonly string[] = ['"""', "'''"];
const TRIPLE = 3;

/** What has such a text begin on the next line. */
const CONTINUATION = '\\\n';

export interface StringOptions extends ValuePlace {
  /** Closers of the brackets around a value, outermost first; undefined for a key, which its first quote ends. */
  readonly closers?: string;
  /** Whether backslashes escape nothing but quotes, as in `r'\d'` of Python. */
  readonly isRaw?: boolean;
  /** Receives the content as JSON without its quotes. No piece ends inside an escape. */
  readonly write: (content: string) => void;
  /** Receives the name of each repair, e.g. `raw_control_character`; repeatedly if it is repeated. */
  readonly repair: (name: string) => void;
}

/** A string whose opening quotes have been consumed. */
interface OpenString extends StringOptions {
  readonly quotes: Quotes;
  /** Whether it stands between three quotes, as in Python. */
  readonly isTriple: boolean;
  /** Whether it has an unescaped quote inside. */
  hasQuote: boolean;
  /** Its beginning, which may name a drive. */
  head: string;
  /** The characters that a backslash escapes, `u` aside. */
  escapes: string;
  /** Holds a comma at its end, if it is an argument that others can follow. */
  readonly comma: CommaHolder | undefined;
}

/**
 * Reads one string from its opening quote on and mends it on the way: raw line breaks and control characters,
 * backslashes that escape nothing, and unescaped quotes inside (a quote ends a value only where JSON goes on behind it).
 *
 * The loop copies runs of sound text, which is nearly all of a string. It and the call of `readEscape` stay in this
 * function, because another generator around them would have to be woken for every piece of the answer.
 */
export function* readString(input: Input, options: StringOptions): Parsing<void> {
  const token = yield* quoteToken(input);
  if (token) {
    yield* readVerbatimText(input, token, options);
    return;
  }
  const string = yield* openString(input, options);
  const { write } = string;
  const { special } = string.quotes;
  for (;;) {
    const { text, at } = input;
    const end = endOfSoundText(text, at, special, string.escapes);
    input.at = end;
    if (end > at) {
      const sound = at === 0 && end === text.length ? text : text.slice(at, end);
      addToHead(string, sound);
      write(sound);
    }
    // Compared with the current window: the first piece of a call lifts the cap, which makes more text visible.
    if (end === input.text.length) {
      if (input.isEnded) {
        string.comma?.end();
        throw cutOff(options.closers !== undefined ? 'inside a string' : 'inside a key');
      }
      yield;
    }
    if (end < text.length) {
      if (input.text.charAt(end) === '\\') {
        yield* readEscape(input, string);
      } else if (yield* readSpecial(input, string)) {
        string.comma?.end();
        return;
      }
    }
  }
}

function addToHead(string: OpenString, text: string): void {
  if (string.head.length <= 2) {
    string.head += text;
  }
}

/** Consumes the opening quotes. */
function* openString(input: Input, options: StringOptions): Parsing<OpenString> {
  const quotes = quotesOf(input.text.charAt(input.at))!;
  const isTriple = yield* opensTriple(input, options);
  const repair = quotes.repair ?? (isTriple ? 'triple_quotes' : undefined);
  if (repair) {
    options.repair(repair);
  }
  input.at += isTriple ? TRIPLE : 1;
  if (isTriple && !options.isRaw && (yield* peekText(input, CONTINUATION.length)) === CONTINUATION) {
    input.at += CONTINUATION.length;
  }
  const escapes = options.isRaw ? RAW_ESCAPES : SIMPLE_ESCAPES;
  const comma = options.isKey && !isTriple ? new CommaHolder(options.write) : undefined;
  const write = comma?.write ?? options.write;
  return { ...options, write, quotes, isTriple, hasQuote: false, head: '', escapes, comma };
}

/** Reads the quote or control character at the cursor. @returns whether it closes the string */
function* readSpecial(input: Input, string: OpenString): Parsing<boolean> {
  const char = input.text.charAt(input.at);
  const isQuote = string.quotes.closers.includes(char);
  if (isQuote && (yield* skipJoint(input, string))) {
    return false;
  }
  if (isQuote && ((yield* readClosingQuotes(input, string)) || (yield* opensNextKey(input, string)))) {
    return true;
  }
  input.at++;
  addToHead(string, char);
  if (isQuote && !string.isTriple) {
    string.hasQuote = true;
    string.repair('unescaped_quote');
  } else if (!isQuote && char !== '"') {
    string.repair('raw_control_character');
  }
  string.write(escapeText(char));
  return false;
}

/** What stands between the parts of a text that are joined: `"a" + "b"`; in Python white space does. */
const JOINT = /^(["'`])\s*\+\s*\1/;
const PYTHON_JOINT = /^(["'])(?:\s*\+\s*|\s+)\1/;
const PARTIAL_JOINT = /^["'`]\s*(?:\+\s*)?$/;
const MAX_JOINT = 64;

/** Consumes the quotes between two parts of the value. @returns whether they stand at the cursor */
function* skipJoint(input: Input, { closers, hasQuote, isTriple, repair }: OpenString): Parsing<boolean> {
  const behind = input.text.charAt(input.at + 1);
  if (closers === undefined || hasQuote || isTriple || !/^(?:[+\s]|$)/.test(behind)) {
    return false;
  }
  const joint = closers.includes(')') ? PYTHON_JOINT : JOINT;
  const [{ length }] = joint.exec(yield* peekDecisive(input, PARTIAL_JOINT, MAX_JOINT)) ?? [''];
  if (length > 0) {
    repair('joined_texts');
    input.at += length;
  }
  return length > 0;
}

/** Whether three quotes open the string at the cursor. Keys have none. */
function* opensTriple(input: Input, { closers }: StringOptions): Parsing<boolean> {
  return closers !== undefined && TRIPLE_QUOTES.includes(yield* peekText(input, TRIPLE));
}

/** Consumes the quotes at the cursor if they close the string. @returns whether they do */
function* readClosingQuotes(
  input: Input,
  { closers, isKey, separator, isListed, isTriple, hasQuote, quotes }: OpenString,
): Parsing<boolean> {
  const length = isTriple ? TRIPLE : 1;
  if (isTriple && (yield* peekText(input, length)) !== quotes.closers.repeat(length)) {
    return false;
  }
  const place = { isKey: hasQuote ? isKey : undefined, separator, isListed };
  while (closers !== undefined) {
    const verdict = endsValue(input.text, input.at + length, closers, place);
    if (verdict === false) {
      return false;
    }
    if (verdict === true || input.isEnded) {
      break;
    }
    yield;
  }
  input.at += length;
  return true;
}

/** Whether the quote at the cursor opens the next key, since that of the string is lost. Consumes nothing. */
function* opensNextKey(input: Input, { comma, hasQuote, isKey, repair }: OpenString): Parsing<boolean> {
  if (hasQuote || !comma || !isKey || !(yield* comma.opensKey(input, isKey))) {
    return false;
  }
  comma.drop();
  repair('unclosed_text');
  return true;
}

/** Offset of the first character that cannot be taken over unchanged. */
function endOfSoundText(text: string, start: number, special: RegExp, escapes: string): number {
  special.lastIndex = start;
  while (special.test(text)) {
    const at = special.lastIndex - 1;
    if (text.charCodeAt(at) !== CharCode.backslash || !escapes.includes(text.charAt(at + 1) || ' ')) {
      return at;
    }
    special.lastIndex = at + 2;
  }
  return text.length;
}

/** Reads the escape at the cursor. A backslash that escapes nothing, as in `C:\dir` or `\d`, stands for itself. */
function* readEscape(input: Input, string: OpenString): Parsing<void> {
  const { write, repair, escapes, head } = string;
  let sequence = yield* peekText(input, 2);
  addToHead(string, sequence);
  if (sequence === '\\') {
    string.comma?.end();
    throw cutOff('inside a string');
  }
  const escaped = sequence.charAt(1);
  if (escaped === "'" || (escaped === '`' && string.quotes.closers === escaped)) {
    write(escaped);
    input.at += 2;
    return;
  }
  if (sequence === '\\u' && escapes === SIMPLE_ESCAPES) {
    sequence = yield* peekUnicodeEscape(input);
  } else if (!escapes.includes(sequence.charAt(1))) {
    sequence = '';
  }
  if (sequence === '') {
    repair('lone_backslash');
    if (escapes === SIMPLE_ESCAPES && DRIVE.test(head)) {
      string.escapes = PATH_ESCAPES;
    }
    write('\\\\');
    input.at++;
  } else {
    write(sequence);
    input.at += sequence.length;
  }
}

/** The `\u` escape at the cursor, empty if it is malformed. A surrogate pair is one, so that no piece splits it. */
function* peekUnicodeEscape(input: Input): Parsing<string> {
  const escape = yield* peekText(input, 6);
  if (!UNICODE_ESCAPE.test(escape)) {
    return '';
  }
  if (!HIGH_SURROGATE_ESCAPE.test(escape)) {
    return escape;
  }
  const pair = yield* peekText(input, 12);
  return UNICODE_ESCAPE.test(pair.slice(6)) ? pair : escape;
}
