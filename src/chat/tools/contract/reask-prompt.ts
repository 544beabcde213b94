import { type Correction } from '../../completion/guard.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type ToolOffer } from './tool-offer.js';

/** Of a long answer the model is shown the beginning and the end. */
const SHOWN_START = 2000;
const SHOWN_END = 1000;

/**
 * What to tell a model whose tool call cannot be used, or that made none although it had to. Nothing of its answer has
 * reached anyone, so it is to write the message anew.
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

<tool_call>
<function=NAME>
<parameter=KEY>value</parameter>
</function>
</tool_call>

Do not mention this correction.`,
    rejected: raw === '' ? undefined : shortened(raw),
  };
}

function shortened(text: string): string {
  const left = text.length - SHOWN_START - SHOWN_END;
  return left <= 0
    ? text
    : `${text.slice(0, SHOWN_START)}\n[… ${left} characters left out …]\n${text.slice(-SHOWN_END)}`;
}
