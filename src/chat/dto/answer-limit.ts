import { type Model } from '../../models/model.js';
import { invalidField } from './wire-values.js';

/**
 * The number of tokens that a request asks of its answer.
 * @param param field that it was asked in
 * @throws InvalidRequestError if the model cannot generate as many
 */
export function withinAnswerLimit(asked: number, model: Model, param: string): number {
  const { id, answerLimit, maxOutputTokens } = model;
  if (asked > (answerLimit ?? maxOutputTokens)) {
    const rule =
      answerLimit === undefined
        ? `${maxOutputTokens}, the most that ${id} generates`
        : `${answerLimit}, the context window of ${id}`;
    throw invalidField(param, `must be at most ${rule}`);
  }
  return asked;
}
