/** Letters that two forms of a word begin with, and letters in which they may differ: `print`, `printed`. */
const MIN_STEM = 4;
const MAX_ENDING = 3;

/** Whether two words look like forms of one. */
function areForms(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) {
    at++;
  }
  return at >= MIN_STEM && Math.max(a.length, b.length) - at <= MAX_ENDING;
}

/** Whether a word, or a form of it, is among others. */
export function hasForm(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || [...words].some((other) => areForms(word, other));
}
