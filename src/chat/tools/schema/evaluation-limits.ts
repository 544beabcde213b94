import { PatternMatcher } from './pattern-matcher.js';
import { StepBudget } from './step-budget.js';

/** Steps of expanding schemas and of bringing values to them; one takes some nanoseconds. */
const MAX_STEPS = 2 ** 25;

/**
 * What evaluating schemas may take, for all tools of a request together: a caller may send hundreds. Beyond it, schemas
 * admit everything.
 */
export class EvaluationLimits {
  /** @param patterns tries the patterns for names of members */
  constructor(
    readonly patterns = new PatternMatcher(),
    readonly steps = new StepBudget(MAX_STEPS),
  ) {}
}
