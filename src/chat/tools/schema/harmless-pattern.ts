/** Characters of the longest pattern that is tried. */
const MAX_PATTERN_CHARS = 200;
/** Characters of the longest text on which a pattern is tried. */
export const MAX_MATCHED_CHARS = 128;

/** A quantified group, `(a+)+`, or a back-reference, `(a)\1`: both can take exponential time. */
const EXPONENTIAL = /\)[*+?{]|\\[1-9k]/;

/** `*`, `+`, `{2,}`: backtracking tries up to one length for each character of the text. */
const REPETITION = /[*+]|\{\d*,/g;
const REPETITION_BITS = Math.log2(MAX_MATCHED_CHARS);

/** `?`, `|`: backtracking tries two ways. Thirty in a row would take a billion steps. */
const CHOICE = /[?|]/g;
const CHOICE_BITS = 1;

/** Binary logarithm of the most steps from one offset of the text: enough for two repetitions and two choices. */
const MAX_BITS = 16;

/**
 * Whether a caller's pattern is a valid regular expression that cannot backtrack for long on this text. The patterns
 * that schemas use for member names pass, e.g. `^x-` and `^[a-z_]+$`.
 */
export function isHarmlessPattern(pattern: string, text: string): boolean {
  if (
    pattern.length > MAX_PATTERN_CHARS ||
    text.length > MAX_MATCHED_CHARS ||
    EXPONENTIAL.test(pattern) ||
    count(pattern, REPETITION) * REPETITION_BITS + count(pattern, CHOICE) * CHOICE_BITS > MAX_BITS
  ) {
    return false;
  }
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
