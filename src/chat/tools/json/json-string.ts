import { partialSuffixLength } from '../../completion/stages/partial-suffix.js';
import { type Input, type Parsing } from '../text/input.js';
import { cutOff } from '../text/parse-errors.js';
import { mayFollowValue, quotesOf, quoteToken } from './json-quotes.js';

const BACKSLASH = 0x5c;
const SIMPLE_ESCAPES = '"\\/bfnrt';
const HIGH_SURROGATE = /^\\u[dD][89abAB]/;
const UNICODE_ESCAPE = /^\\u[\dA-Fa-f]{4}/;
const TRIPLE = '"""';
// eslint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

export interface StringOptions {
  /** The brackets to be closed behind a value, outermost first; undefined for a key, which the first quote ends. */
  readonly closers?: string;
  /** Gets the content as JSON writes it, without quotes, in pieces that are complete in themselves. */
  readonly write: (content: string) => void;
  readonly repair: (name: string) => void;
}

/**
 * Reads one string, from its opening quote on. What is no sound JSON is mended: raw line breaks and control
 * characters, backslashes that escape nothing, and quotes inside that were not escaped: a quote closes a value only
 * where the JSON can go on behind it.
 */
export function* readString(input: Input, options: StringOptions): Parsing<void> {
  const { write, repair } = options;
  const token = yield* quoteToken(input);
  if (token) {
    yield* readVerbatim(input, token, write);
    return;
  }
  const { closers, special, repair: named } = quotesOf(input.text.charAt(input.at))!;
  const isTriple = yield* opensTriple(input, options);
  if (named ?? isTriple) {
    repair(named ?? 'triple_quotes');
  }
  input.at += isTriple ? TRIPLE.length : 1;
  for (;;) {
    const { text, at } = input;
    const end = endOfSoundText(text, at, special);
    input.at = end;
    if (end > at) {
      write(at === 0 && end === text.length ? text : text.slice(at, end));
    }
    // The first piece that is written can make more of the input visible.
    if (end === input.text.length) {
      if (input.isEnded) {
        throw cutOff(options.closers !== undefined ? 'inside a string' : 'inside a key');
      }
      yield;
    }
    if (end === text.length) {
      continue;
    }
    const char = input.text.charAt(end);
    if (char === '\\') {
      yield* readEscape(input, options);
    } else if (!closers.includes(char)) {
      input.at++;
      if (char !== '"') {
        repair('raw_control_character');
      }
      write(JSON.stringify(char).slice(1, -1));
    } else if (yield* closes(input, isTriple, options)) {
      return;
    } else {
      if (!isTriple) {
        repair('unescaped_quote');
      }
      input.at++;
      write(char === '"' ? '\\"' : char);
    }
  }
}

/** Reads what stands between two tokens, as it is. */
function* readVerbatim(input: Input, token: string, write: (content: string) => void): Parsing<void> {
  input.at += token.length;
  for (;;) {
    const rest = input.text.slice(input.at);
    const close = rest.indexOf(token);
    const content = rest.slice(0, close < 0 ? rest.length - partialSuffixLength(rest, token) : close);
    input.at += content.length;
    if (content !== '') {
      // This can make more of the input visible.
      write(escapeText(content));
    } else if (close === 0) {
      input.at += token.length;
      return;
    } else if (input.isEnded) {
      throw cutOff('inside a string');
    } else {
      yield;
    }
  }
}

/** Three quotes open a string as in Python; two are an empty string if JSON can go on behind them. */
function* opensTriple(input: Input, { closers }: StringOptions): Parsing<boolean> {
  return closers !== undefined && (yield* lookAt(input, TRIPLE.length)) === TRIPLE;
}

/** Whether the quote at the cursor closes the string; if so, it is consumed. */
function* closes(input: Input, isTriple: boolean, options: StringOptions): Parsing<boolean> {
  const length = isTriple ? TRIPLE.length : 1;
  if (isTriple && (yield* lookAt(input, length)) !== TRIPLE) {
    return false;
  }
  while (options.closers !== undefined) {
    const verdict = mayFollowValue(input.text, input.at + length, options.closers);
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

/** Where the first character stands that cannot be taken over as it is. */
function endOfSoundText(text: string, start: number, special: RegExp): number {
  special.lastIndex = start;
  while (special.test(text)) {
    const at = special.lastIndex - 1;
    if (text.charCodeAt(at) !== BACKSLASH || !SIMPLE_ESCAPES.includes(text.charAt(at + 1) || ' ')) {
      return at;
    }
    special.lastIndex = at + 2;
  }
  return text.length;
}

/** Reads the escape at the cursor; a backslash that begins none stands for itself, as in a path or a pattern. */
function* readEscape(input: Input, { write, repair }: StringOptions): Parsing<void> {
  let sequence = yield* lookAt(input, 2);
  if (sequence === '\\') {
    throw cutOff('inside a string');
  }
  if (sequence === "\\'") {
    write("'");
    input.at += 2;
    return;
  }
  if (sequence === '\\u') {
    sequence = yield* unicodeEscape(input);
  } else if (!SIMPLE_ESCAPES.includes(sequence.charAt(1))) {
    sequence = '';
  }
  if (sequence === '') {
    repair('lone_backslash');
    write('\\\\');
    input.at++;
  } else {
    write(sequence);
    input.at += sequence.length;
  }
}

/** The escape of a character by its number at the cursor, empty if there is none. */
function* unicodeEscape(input: Input): Parsing<string> {
  const escape = yield* lookAt(input, 6);
  if (!UNICODE_ESCAPE.test(escape)) {
    return '';
  }
  if (!HIGH_SURROGATE.test(escape)) {
    return escape;
  }
  // Both halves of a pair go on together, so that no piece ends in the middle of a character.
  const pair = yield* lookAt(input, 12);
  return UNICODE_ESCAPE.test(pair.slice(6)) ? pair : escape;
}

/** The next characters, fewer only at the end. */
function* lookAt(input: Input, length: number): Parsing<string> {
  while (input.text.length - input.at < length && !input.isEnded) {
    yield;
  }
  return input.text.slice(input.at, input.at + length);
}

/** Text as it stands between the quotes of a JSON string. */
export function escapeText(text: string): string {
  // Asking first halves the cost of the many pieces that need nothing.
  return !NEEDS_ESCAPE.test(text) ? text : JSON.stringify(text).slice(1, -1);
}
