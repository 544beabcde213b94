/** Letters that two forms of a word begin with, and letters in which they may differ: `print`, `printed`. */
const MIN_STEM = 4;
const MAX_ENDING = 3;
/** Letters that two words begin with of which neither is the other's beginning: not `compare`, `compile`. */
const MIN_COMMON = 5;

/** Whether two words look like forms of one. */
function areForms(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) {
    at++;
  }
  const minimum = at === Math.min(a.length, b.length) ? MIN_STEM : MIN_COMMON;
  return at >= minimum && Math.max(a.length, b.length) - at <= MAX_ENDING;
}

/** Whether a word, or a form of it, is among others. */
export function hasForm(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || [...words].some((other) => areForms(word, other));
}
