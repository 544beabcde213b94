import { PatternCost, readingSteps } from './pattern-cost.js';

/** Characters of the longest pattern that is tried, and of the longest text on which one is. */
const MAX_PATTERN_CHARS = 200;
const MAX_MATCHED_CHARS = 128;

/** Steps of backtracking for all patterns of one request; one takes about a nanosecond. */
const MAX_STEPS = 2 ** 25;
/** What it takes to read and compile any pattern, and at least to try one. */
const COMPILE_STEPS = 2 ** 14;
const TRY_STEPS = 2 ** 6;

/**
 * A quantified group, `(a+)+`, or a back-reference, `(a)\1`: both can take exponential time. And `(?i:…)`, for which the
 * engine writes out the cases of whole sets.
 */
const UNTRIED = /\)[*+?{]|\\[1-9k]|\(\?[a-z-]+:/;

interface KnownPattern {
  readonly regExp: RegExp;
  readonly cost: PatternCost;
  isCompiled: boolean;
}

/**
 * Tries callers' regular expressions on names and values. Backtracking takes up to a power of the length of a text, so
 * what all of them may take together is limited: a try that could take more than is left of it finds nothing.
 */
export class PatternMatcher {
  private readonly known = new Map<string, KnownPattern | undefined>();

  /** @param stepsLeft steps of the engine that the tries may take together */
  constructor(private stepsLeft = MAX_STEPS) {}

  /** Whether no further pattern is tried. */
  get isSpent(): boolean {
    return this.stepsLeft < TRY_STEPS;
  }

  /** Whether a text matches; undefined if that is not known. */
  matches(pattern: string, text: string): boolean | undefined {
    const known = this.isSpent || text.length > MAX_MATCHED_CHARS ? undefined : this.read(pattern);
    const steps = known ? Math.max(TRY_STEPS, stepsOf(known, text)) : TRY_STEPS;
    if (!known || steps > this.stepsLeft) {
      this.stepsLeft -= TRY_STEPS;
      return undefined;
    }
    this.stepsLeft -= steps;
    // The engine compiles when it tries.
    known.isCompiled = true;
    return known.regExp.test(text);
  }

  private read(pattern: string): KnownPattern | undefined {
    if (!this.known.has(pattern)) {
      this.stepsLeft -= COMPILE_STEPS;
      const isTried = pattern.length <= MAX_PATTERN_CHARS && !UNTRIED.test(pattern);
      this.known.set(pattern, isTried ? this.readNew(pattern) : undefined);
    }
    return this.known.get(pattern);
  }

  /** @returns undefined for a pattern that is no regular expression */
  private readNew(pattern: string): KnownPattern | undefined {
    this.stepsLeft -= readingSteps(pattern);
    try {
      return { regExp: new RegExp(pattern, 'u'), cost: new PatternCost(pattern), isCompiled: false };
    } catch {
      return undefined;
    }
  }
}

function stepsOf({ cost, isCompiled }: KnownPattern, text: string): number {
  return cost.trying(text.length) + (isCompiled ? 0 : cost.compiling);
}
