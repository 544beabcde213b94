import { type Input, type Parsing } from '../text/input.js';
import { readRun } from '../text/scan.js';

/** The name of an argument in Python. */
const ARGUMENT_RUN = /[\w$-]*/y;

/** A key without quotes, which may be several words. */
const KEY_RUN = /[\p{L}\p{N}_$ \t-]*/uy;

/** What is read as a key whose closing quote is missing. Group 1: the key. */
const UNCLOSED_KEY = /^([\w$-]+)\s*:\s*$/;

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

/**
 * The key of `"path: "a.txt"`, where what was read as one holds the colon and none follows its quote, which begins the
 * value. That quote is given back.
 */
export function* unclosedKey(input: Input, read: string): Parsing<string | undefined> {
  const key = UNCLOSED_KEY.exec(read)?.[1];
  if (key === undefined) {
    return undefined;
  }
  // Nothing was awaited since the quote was read, so it is still in the window.
  input.at--;
  let behind: string;
  while ((behind = input.text.slice(input.at + 1).trimStart()) === '' && !input.isEnded) {
    yield;
  }
  const isKey = /^[:=]/.test(behind);
  input.at += isKey ? 1 : 0;
  return isKey ? undefined : key;
}
