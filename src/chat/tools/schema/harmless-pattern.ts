const MAX_PATTERN_CHARS = 200;
const MAX_TEXT_CHARS = 128;

/** A quantified group or a reference back: what makes matching take exponential time. */
const RISKY = /\)[*+?{]|\\[1-9k]/;
const UNBOUNDED = /[*+]|\{\d*,\}/g;
/** Matching takes at most the text's length to this power. */
const MAX_UNBOUNDED = 2;

/**
 * Whether a caller's regular expression can be tried on a text without any chance that it holds the process for long,
 * and is one at all. Patterns that schemas use for member names (`^x-`, `^[a-z_]+$`) pass.
 */
export function isHarmlessPattern(pattern: string, text: string): boolean {
  if (
    pattern.length > MAX_PATTERN_CHARS ||
    text.length > MAX_TEXT_CHARS ||
    RISKY.test(pattern) ||
    (pattern.match(UNBOUNDED)?.length ?? 0) > MAX_UNBOUNDED
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
