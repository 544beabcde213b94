import { type Correction } from '../../completion/guard.js';
import { shortenedAnswer } from '../../completion/shortened-answer.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type ToolOffer } from './tool-offer.js';
import { CALL_FORM } from './tool-prompt.js';

/**
 * The correction for a model whose tool call cannot be read, or is missing although required. Nothing of its answer has
 * reached the caller, so the model writes the whole message again.
 */
export function reaskCorrection({ kind, detail, raw }: ToolCallProblem, offer: ToolOffer): Correction {
  const { choice, parallel } = offer;
  const named = typeof choice === 'object' ? `the tool ${choice.function.name}` : undefined;
  const problem =
    kind === 'missing'
      ? `Your last message was not used, because it does not call ${named ?? 'a tool'}, which it must.`
      : `Your last message was not used, because its tool call cannot be read. ${detail}`;
  const calls = parallel ? 'every call' : 'one call';
  return {
    instruction: `${problem}

Write the whole message again, with ${calls} complete and exactly in this form, values raw and nothing escaped, and stop behind it:

${CALL_FORM}

Do not mention this correction.`,
    rejected: raw === '' ? undefined : shortenedAnswer(raw),
  };
}
