import { type Correction } from '../../completion/guard.js';
import { shortenedAnswer } from '../../completion/shortened-answer.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type ToolOffer } from './tool-offer.js';
import { CALL_FORM } from './tool-prompt.js';

const UNUSED = 'Your last message was not used';
const EMPTY = 'Your last message was empty.';

/**
 * The correction for a model whose tool call cannot be read, or is missing although required, or whose answer is empty.
 * Nothing of it has reached the caller, so the model writes the whole message again.
 */
export function reaskCorrection({ kind, detail, raw }: ToolCallProblem, offer: ToolOffer): Correction {
  const calls = offer.parallel ? 'every call' : 'one call';
  const again = `Write the whole message again, with ${calls}`;
  const [problem, demand] = {
    malformed: [`${UNUSED}, because its tool call cannot be read. ${detail}`, again],
    missing: [missingCall(offer), again],
    unknown: [`${UNUSED}. ${detail}`, again],
    empty: [EMPTY, `Write it now: your answer in plain text, or else ${calls}`],
  }[kind === 'cut' || kind === 'forbidden' ? 'malformed' : kind];
  return {
    instruction: `${problem}

${demand} complete and exactly in this form, values raw and nothing escaped, and stop behind it:

${CALL_FORM}

Do not mention this correction.`,
    rejected: raw === '' ? undefined : shortenedAnswer(raw),
  };
}

/**
 * The same for a model that knows a form of calls by itself, and that calls none although it has to, or some although it
 * must not, or that answers nothing.
 */
export function nativeReaskCorrection({ kind, raw }: ToolCallProblem, offer: ToolOffer): Correction {
  if (kind === 'empty') {
    return { instruction: `${EMPTY} Write it now, in text or as a call. Do not mention this correction.` };
  }
  const { choice, parallel } = offer;
  const tool = typeof choice === 'object' ? `the tool ${choice.function.name}` : 'one of your tools';
  const [problem, demand] =
    kind === 'missing'
      ? [missingCall(offer), `with ${parallel ? 'a' : 'one'} call of ${tool}`]
      : [
          'Your last message was not used, because it calls a tool, which it must not.',
          'in plain text without any call',
        ];
  return {
    instruction: `${problem}

Write the whole message again, ${demand}. Do not mention this correction.`,
    rejected: raw === '' ? undefined : shortenedAnswer(raw),
  };
}

function missingCall({ choice }: ToolOffer): string {
  const tool = typeof choice === 'object' ? `the tool ${choice.function.name}` : 'a tool';
  return `Your last message was not used, because it does not call ${tool}, which it must.`;
}
