import { type Correction } from '../completion/guard.js';
import { shortenedAnswer } from '../completion/shortened-answer.js';
import { type ResponseFormat } from '../interfaces/completion-request.js';
import { type OutputProblem } from './structured-output.stage.js';

/** The correction for a model whose answer is not the JSON value that was asked for. */
export function outputCorrection({ detail, text }: OutputProblem, format: ResponseFormat): Correction {
  const demand =
    format.type === 'json_schema'
      ? `one valid JSON value that conforms to this JSON Schema:\n${JSON.stringify(format.json_schema.schema)}`
      : 'one valid JSON object.';
  return {
    instruction: `Your last answer was not used. ${detail}

Write the whole answer again, from the first character on, without a code fence, a comment or any other word: ${demand}

Do not mention this correction.`,
    rejected: text.trim() === '' ? undefined : shortenedAnswer(text),
  };
}
