/** Characters of the longest pattern that is tried, and of the longest text on which one is. */
const MAX_PATTERN_CHARS = 200;
const MAX_MATCHED_CHARS = 128;

/** Steps of backtracking for all patterns of one request; one takes about a nanosecond. */
const MAX_STEPS = 2 ** 25;
/** What it takes to compile a pattern, and at least to try one. */
const COMPILE_STEPS = 2 ** 14;
const TRY_STEPS = 2 ** 6;

/** A quantified group, `(a+)+`, or a back-reference, `(a)\1`: both can take exponential time. */
const EXPONENTIAL = /\)[*+?{]|\\[1-9k]/;
/** `*`, `+`, `{2,}`: backtracking tries up to one length for each character of the text. */
const REPETITION = /[*+]|\{\d*,/g;
/** `?`, `|`: backtracking tries two ways. Thirty in a row would take a billion steps. */
const CHOICE = /[?|]/g;
/** Tried at the start of a text only, not at each character. */
const ANCHORED = /^\^[^|]*$/;

interface CompiledPattern {
  readonly regExp: RegExp;
  readonly repetitions: number;
  readonly choices: number;
  readonly isAnchored: boolean;
}

/**
 * Tries callers' regular expressions on names and values. Backtracking takes up to a power of the length of a text, so
 * what all of them may take together is limited: a try that could take more than is left of it finds nothing.
 */
export class PatternMatcher {
  private readonly known = new Map<string, CompiledPattern | undefined>();

  /** @param stepsLeft steps of backtracking that the tries may take together */
  constructor(private stepsLeft = MAX_STEPS) {}

  /** Whether no further pattern is tried. */
  get isSpent(): boolean {
    return this.stepsLeft < TRY_STEPS;
  }

  /** Whether a text matches; undefined if that is not known. */
  matches(pattern: string, text: string): boolean | undefined {
    const compiled = this.isSpent || text.length > MAX_MATCHED_CHARS ? undefined : this.compile(pattern);
    const steps = Math.max(TRY_STEPS, compiled ? worstCase(compiled, text.length) : 0);
    const isTried = compiled !== undefined && steps <= this.stepsLeft;
    this.stepsLeft -= isTried ? steps : TRY_STEPS;
    return isTried ? compiled.regExp.test(text) : undefined;
  }

  private compile(pattern: string): CompiledPattern | undefined {
    if (!this.known.has(pattern)) {
      this.stepsLeft -= COMPILE_STEPS;
      this.known.set(pattern, compilePattern(pattern));
    }
    return this.known.get(pattern);
  }
}

/** @returns undefined for a pattern that is no regular expression, or that could take exponential time */
function compilePattern(pattern: string): CompiledPattern | undefined {
  if (pattern.length > MAX_PATTERN_CHARS || EXPONENTIAL.test(pattern)) {
    return undefined;
  }
  try {
    return {
      regExp: new RegExp(pattern, 'u'),
      repetitions: count(pattern, REPETITION),
      choices: count(pattern, CHOICE),
      isAnchored: ANCHORED.test(pattern),
    };
  } catch {
    return undefined;
  }
}

/** The most steps of backtracking on a text of this length. */
function worstCase({ repetitions, choices, isAnchored }: CompiledPattern, chars: number): number {
  return (chars + 1) ** (repetitions + (isAnchored ? 0 : 1)) * 2 ** choices;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
