import { isJsonObject } from '../../common/text/json-object.js';
import { renderCall, type SandboxCall } from './sandbox-call.js';
import { lastToolResponse } from './sandbox-prompt.js';
import { SAMPLE_TEXT, sampleValue } from './sandbox-sample.js';
import { type PromptTool, readToolTurn } from './sandbox-tools.js';

/** Short enough not to count as a repetition of the result. */
const QUOTED_CHARACTERS = 60;

/** Names no marker: agents quote answers of sub-agents in messages of the user, where a marker takes effect. */
const NO_FURTHER_CALL =
  'This answer comes from the built-in sandbox, not from a language model. ' +
  'It calls the first tool once in a conversation, and no other unless a marker says so.';

/**
 * Answer to a prompt that offers tools: a call of the demanded tool; else a call of the first one, once in a
 * conversation, and then a few words on its result. Undefined for a prompt without tools and results.
 *
 * Agents go on by themselves: they report to the model in messages of the user, and start sub-agents with the
 * arguments of a call as the task. A call in answer to these would bring the next one, without end.
 *
 * @param json what is asked for in place of words
 */
export function toolAnswer(prompt: string, json?: string): string | undefined {
  const { tools, message, rounds, demanded } = readToolTurn(prompt);
  const lastResult = lastToolResponse(prompt);
  const tool = tools.find(({ name }) => name === demanded) ?? tools[0];
  if (demanded === undefined && rounds.length > 0) {
    return json ?? closingWords(rounds.flat(), lastResult);
  }
  if (tool && demanded === undefined && (lastResult !== undefined || message.includes(SAMPLE_TEXT))) {
    return json ?? NO_FURTHER_CALL;
  }
  return tool && renderCall(sampleCall(tool));
}

/** The calls of a script that are due after as many rounds of results; undefined once all have been made. */
export function scriptedCall(prompt: string, calls: readonly (readonly SandboxCall[])[]): string | undefined {
  return calls[readToolTurn(prompt).rounds.length]?.map(renderCall).join('\n');
}

function sampleCall({ name, parameters }: PromptTool): SandboxCall {
  const values = sampleValue({ type: 'object', ...(parameters as object | undefined) });
  return { name, arguments: isJsonObject(values) ? values : {} };
}

function closingWords(tools: readonly string[], result = ''): string {
  const line = result.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, 2 * QUOTED_CHARACTERS)];
  const quoted = characters.slice(0, QUOTED_CHARACTERS).join('');
  return (
    `Done, as far as the built-in sandbox can: it has called ${[...new Set(tools)].join(', ')}. ` +
    `The last result begins: “${quoted}${quoted === line ? '' : '…'}”`
  );
}
