import { type CompletionRequest } from '../interfaces/completion-request.js';
import { atLeast, atMost, INTEGER, type ParameterRule } from './parameter-rules.js';

/** Most answers to one request: the limit of the format. */
export const MAX_CHOICES = 128;

/** Rules of `n`. */
export const CHOICE_RULES: readonly ParameterRule[] = [INTEGER, atLeast(1), atMost(MAX_CHOICES)];

/**
 * The requests of so many answers to one. Each has a seed of its own, where one is given: with the same, all would be alike.
 * @param count of at least 1; default 1
 */
export function eachChoice<Request extends CompletionRequest>(
  request: Request,
  count: number | null = 1,
): readonly Request[] {
  const { seed } = request.params;
  return Array.from({ length: count ?? 1 }, (_, index) =>
    seed === undefined || index === 0
      ? request
      : { ...request, params: { ...request.params, seed: seed + index } },
  );
}
