import { type Input, isSpace, type Parsing } from './input.js';
import { cutOff } from './parse-errors.js';
import { tagAt } from './tags.js';

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

export function isQuote(char: string): boolean {
  return QUOTES.has(char);
}

/** After a quote, more white space than this settles that it closed its string: so little is ever held back. */
const MAX_GAP = 256;

const BACKSLASH = 0x5c;
const SIMPLE_ESCAPES = '"\\/bfnrt';
const HIGH_SURROGATE = /^\\u[dD][89abAB]/;
const UNICODE_ESCAPE = /^\\u[\dA-Fa-f]{4}/;

/**
 * Reads one string, from its opening quote on. What is no sound JSON is mended: raw line breaks and control
 * characters, backslashes that escape nothing, and quotes inside that were not escaped: a quote closes the value only
 * where the JSON can go on behind it.
 *
 * @param write gets the content as JSON writes it, without quotes, in pieces that are complete in themselves
 */
export function* readString(
  input: Input,
  isKey: boolean,
  write: (content: string) => void,
  repair: (name: string) => void,
): Parsing<void> {
  const form = QUOTES.get(input.text.charAt(input.at++))!;
  if (form.repair) {
    repair(form.repair);
  }
  const { special } = form;
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
        throw cutOff(isKey ? 'inside a key' : 'inside a string');
      }
      yield;
    }
    if (end === text.length) {
      continue;
    }
    const char = input.text.charAt(end);
    if (char === '\\') {
      yield* readEscape(input, write, repair);
      continue;
    }
    input.at++;
    if (form.closers.includes(char)) {
      if (isKey || (yield* isValueEnd(input))) {
        return;
      }
      repair('unescaped_quote');
      write(char === '"' ? '\\"' : char);
    } else {
      if (char !== '"') {
        repair('raw_control_character');
      }
      write(JSON.stringify(char).slice(1, -1));
    }
  }
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
function* readEscape(
  input: Input,
  write: (content: string) => void,
  repair: (name: string) => void,
): Parsing<void> {
  let sequence = yield* lookAt(input, 2);
  if (sequence === '\\') {
    throw cutOff('inside a string');
  }
  if (sequence === '\\u') {
    sequence = yield* lookAt(input, 6);
    // Both halves of a pair go on together, so that no piece ends in the middle of a character.
    if (HIGH_SURROGATE.test(sequence) && UNICODE_ESCAPE.test(sequence)) {
      const pair = yield* lookAt(input, 12);
      sequence = UNICODE_ESCAPE.test(pair.slice(6)) ? pair : sequence;
    }
    if (!UNICODE_ESCAPE.test(sequence)) {
      sequence = '';
    }
  } else if (sequence === "\\'") {
    write("'");
    input.at += 2;
    return;
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

/** The next characters, fewer only at the end. */
function* lookAt(input: Input, length: number): Parsing<string> {
  while (input.text.length - input.at < length && !input.isEnded) {
    yield;
  }
  return input.text.slice(input.at, input.at + length);
}

/** Whether JSON, or what closes the call, can go on at the cursor, right after a quote. */
function* isValueEnd(input: Input): Parsing<boolean> {
  let hasLineBreak = false;
  for (let gap = 0; gap <= MAX_GAP;) {
    const at = input.at + gap;
    const code = input.text.charCodeAt(at);
    if (isSpace(code)) {
      hasLineBreak ||= code === 0x0a;
      gap++;
      continue;
    }
    const verdict = canFollowString(input.text, at, hasLineBreak);
    if (verdict !== 'partial') {
      return verdict;
    }
    if (input.isEnded) {
      return at === input.text.length;
    }
    yield;
  }
  return true;
}

function canFollowString(text: string, at: number, hasLineBreak: boolean): boolean | 'partial' {
  const char = text.charAt(at);
  const next = text.charAt(at + 1);
  switch (char) {
    case ',':
    case '}':
    case ']':
      return true;
    case '':
      return 'partial';
    case '/':
      return next === '' ? 'partial' : next === '/' || next === '*';
    case '`':
      return next === '' ? 'partial' : next === '`';
    case '<': {
      if (next === '|') {
        return true;
      }
      const tag = tagAt(text, at);
      return tag === 'partial' ? tag : tag !== undefined && tag.isClosing;
    }
    default:
      // Between members the comma may have been forgotten; on one line it is more likely a quotation.
      return hasLineBreak && isQuote(char);
  }
}
