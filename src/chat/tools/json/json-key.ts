import { type Input, type Parsing } from '../text/input.js';
import { peekDecisive, readRun, skipWhitespace, startsWith } from '../text/scan.js';

/** The name of an argument in Python. */
const ARGUMENT_RUN = /[\w$-]*/y;

/** A key without quotes, which may be several words. */
const KEY_RUN = /[\p{L}\p{N}_$ \t-]*/uy;

/** A key whose closing quote is missing, with its colon, in front of a value with quotes. Group 2: the key. */
const UNCLOSED_KEY = /^(["'“])([\w$-]+)\s*:\s*(?=[{[\s]*\1(?!\s*[:=]))/;

/** A beginning of that up to what follows the first quote of the value. */
const PARTIAL_UNCLOSED_KEY = /^(["'“])(?:[\w$-]*|[\w$-]+\s*(?::[{[\s]*(?:\1\s*)?)?)$/;

/** Characters of the longest such key, with what follows it. */
const MAX_UNCLOSED_KEY = 128;

const SEPARATOR_RUN = /[:：=>]*/y;

/** What models write between a key and its value, also from other languages. */
const SEPARATORS: ReadonlySet<string> = new Set([':', '：', '=', '::', ':=', '=>']);

/** Consumes what stands between a key and its value. @returns it, undefined if it is anything else */
export function* readSeparator(input: Input): Parsing<string | undefined> {
  const written = yield* readRun(input, SEPARATOR_RUN);
  return SEPARATORS.has(written) ? written : undefined;
}

/** Consumes a key without quotes, or without the first of them. @returns it, empty if there is none */
export function* readBareKey(input: Input, isArgument: boolean): Parsing<string> {
  const word = (yield* readRun(input, isArgument ? ARGUMENT_RUN : KEY_RUN)).trimEnd();
  input.at += !isArgument && word !== '' && input.text.charAt(input.at) === '"' ? 1 : 0;
  return word;
}

/** Consumes `"path: ` in front of `"a.txt"`, or of brackets with quotes in them. @returns the key; undefined if none is there */
export function* readUnclosedKey(input: Input): Parsing<string | undefined> {
  const text = yield* peekDecisive(input, PARTIAL_UNCLOSED_KEY, MAX_UNCLOSED_KEY);
  const [{ length }, , key] = UNCLOSED_KEY.exec(text) ?? [''];
  input.at += length;
  return key;
}

/** The colon behind a key. */
const COLON = /^\s*:/;
const BLANKS = /^\s*$/;

/** Longest space between a key and its colon. */
const MAX_GAP = 64;

/** Consumes a key, with its colon, that stands in front of its value once more. */
export function* skipRepeatedKey(input: Input, key: string, repair: (name: string) => void): Parsing<void> {
  const written = JSON.stringify(key);
  yield* skipWhitespace(input);
  if (!(yield* startsWith(input, written))) {
    return;
  }
  const [{ length } = ''] = COLON.exec(yield* peekDecisive(input, BLANKS, MAX_GAP, written.length)) ?? [];
  if (length > 0) {
    repair('doubled_key');
    input.at += written.length + length;
  }
}
