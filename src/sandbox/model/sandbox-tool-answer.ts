import { renderCall, type SandboxCall } from './sandbox-call.js';
import { lastToolResponse } from './sandbox-prompt.js';
import { sampleValue } from './sandbox-sample.js';
import { type PromptTool, readToolTurn } from './sandbox-tools.js';

/** Short enough not to count as a repetition of the result. */
const QUOTED_CHARACTERS = 60;

/**
 * Answer to a prompt that offers tools: a call of the demanded tool, or of the first one as long as the last turn has
 * no result; then a few words on the last result. Undefined for a prompt without tools or results.
 */
export function toolAnswer(prompt: string): string | undefined {
  const { tools, rounds, demanded } = readToolTurn(prompt);
  if (rounds.length > 0 && demanded === undefined) {
    return closingWords(rounds.flat(), lastToolResponse(prompt));
  }
  const tool = tools.find(({ name }) => name === demanded) ?? tools[0];
  return tool && renderCall(sampleCall(tool));
}

/** The calls of a script that are due after as many rounds of results; undefined once all have been made. */
export function scriptedCall(prompt: string, calls: readonly (readonly SandboxCall[])[]): string | undefined {
  return calls[readToolTurn(prompt).rounds.length]?.map(renderCall).join('\n');
}

function sampleCall({ name, parameters }: PromptTool): SandboxCall {
  const values = sampleValue({ type: 'object', ...(parameters as object | undefined) });
  const isObject = typeof values === 'object' && values !== null && !Array.isArray(values);
  return { name, arguments: isObject ? (values as SandboxCall['arguments']) : {} };
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
