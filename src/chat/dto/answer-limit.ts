import { type Model } from '../../models/model.js';
import { invalidField } from './wire-values.js';

/**
 * The number of tokens that a request asks of its answer.
 * @param param field that it was asked in
 * @throws InvalidRequestError if the model cannot generate as many
 */
export function withinAnswerLimit(asked: number, model: Model, param: string): number {
  const limit = answerLimitOf(model);
  if (asked > limit) {
    const { id } = model;
    const what =
      model.answerLimit === undefined ? `the most that ${id} generates` : `the context window of ${id}`;
    throw invalidField(param, `must be at most ${limit}, ${what}`);
  }
  return asked;
}

/** The same, but for clients that ask for the most of a model whose name they know, and can ask for nothing else. */
export function loweredToAnswerLimit(asked: number, model: Model): number {
  return Math.min(asked, answerLimitOf(model));
}

function answerLimitOf({ answerLimit, maxOutputTokens }: Model): number {
  return answerLimit ?? maxOutputTokens;
}
