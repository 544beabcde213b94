import { type Input, type Parsing } from '../text/input.js';
import { isWhitespace, peekDecisive } from '../text/scan.js';

/** What keyboards of other scripts have in place of a comma, and what other languages have. */
const FOREIGN_COMMAS = '，、;；';

/** A blank that does not break, one as wide as a Chinese character, and the mark at the beginning of a file. */
const FOREIGN_SPACES: ReadonlySet<number> = new Set([0xa0, 0x3000, 0xfeff]);

/** Whether this separates members in place of a comma. */
export function isForeignComma(char: string): boolean {
  return char !== '' && FOREIGN_COMMAS.includes(char);
}

/** Whether this is white space between the tokens of JSON. */
export function isJsonSpace(code: number): boolean {
  return isWhitespace(code) || (code >= 0xa0 && FOREIGN_SPACES.has(code));
}

export function isCloser(char: string): boolean {
  return char === '}' || char === ']' || char === ')';
}

/** Whether no further item can begin here: at a closing bracket, at the end, or at markup behind the JSON. */
export function isEndOfItems(char: string): boolean {
  return isCloser(char) || char === '' || char === '<' || char === '`';
}

/** What stands between a brace and the next object. */
const PARTIAL_GAP = /^\}\s*(?:,\s*)?$/;
const MAX_GAP = 64;

/** Whether a comma and an object follow the brace at the cursor. Consumes nothing. */
export function* precedesObject(input: Input): Parsing<boolean> {
  return /^\}\s*,\s*\{/.test(yield* peekDecisive(input, PARTIAL_GAP, MAX_GAP));
}

/** The closing bracket or quotes by the opening ones. */
export const CLOSER_OF: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
  ['"', '"'],
]);
