/**
 * A letter or digit, and something that neither goes on with the word nor can begin a contraction. The tokenizer
 * splits a text into words before it looks for tokens, and between such two characters one word always ends.
 */
const BOUNDARY = /^[\p{L}\p{N}][^\p{L}\p{N}\p{M}\p{Cs}']$/u;

/** Longest run of one kind that is tokenized as a whole, in characters. */
export const MAX_RUN_CHARS = 256;
const LONG_RUN = new RegExp(
  ['[\\p{L}\\p{M}]', '[^\\s\\p{L}\\p{N}]', '\\s'].map((kind) => `${kind}{${MAX_RUN_CHARS}}`).join('|'),
  'gu',
);

/**
 * Last position at which a cut leaves the tokens of a text as they are, whatever follows.
 * @returns the index of the second part; 0 if there is no such place
 */
export function lastTokenBoundary(text: string): number {
  for (let index = text.length - 1; index > 0; index--) {
    if (BOUNDARY.test(text.slice(index - 1, index + 1))) {
      return index;
    }
  }
  return 0;
}

/**
 * The text in parts that are quick to tokenize: merging takes time that grows with the square of a word's length,
 * so long runs of letters, symbols or white space are cut. Any other text is one part.
 */
export function splitLongRuns(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    parts.push(text.slice(start, index + run.length));
    start = index + run.length;
  }
  return start === 0 ? [text] : [...parts, text.slice(start)];
}
