import { isWhitespace } from '../text/scan.js';

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
