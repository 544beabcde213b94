const MAX_PATTERN_CHARS = 200;
const MAX_TEXT_CHARS = 128;

/** A quantified group or a reference back: what makes matching take exponential time. */
const RISKY = /\)[*+?{]|\\[1-9k]/;
/** What may match texts of several lengths: each has up to as many ways to go on as the text has characters. */
const RUN = /[*+]|\{\d*,/g;
const RUN_BITS = Math.log2(MAX_TEXT_CHARS);
/** What has one way more to go on. Without a limit, thirty of them in a row would take a billion steps. */
const CHOICE = /[?|]/g;
const CHOICE_BITS = 1;
/** From one place in a text, matching takes at most two to this power steps: two runs and two choices. */
const MAX_BITS = 16;

/**
 * Whether a caller's regular expression can be tried on a text without any chance that it holds the process for long,
 * and is one at all. Patterns that schemas use for member names (`^x-`, `^[a-z_]+$`) pass.
 */
export function isHarmlessPattern(pattern: string, text: string): boolean {
  if (
    pattern.length > MAX_PATTERN_CHARS ||
    text.length > MAX_TEXT_CHARS ||
    RISKY.test(pattern) ||
    count(pattern, RUN) * RUN_BITS + count(pattern, CHOICE) * CHOICE_BITS > MAX_BITS
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

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
