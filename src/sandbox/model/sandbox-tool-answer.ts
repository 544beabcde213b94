import { type Call, callForWish } from './sandbox-tool-choice.js';
import { callByName, callOf } from './sandbox-tool-match.js';
import { readToolTurn, type ToolTurn } from './sandbox-tools.js';
import { readWishes } from './sandbox-wishes.js';

/** Little enough not to be taken for a repetition of the result. */
const QUOTED_CHARACTERS = 60;

/**
 * What the sandbox answers to a prompt that offers tools: the next call that the request asks for, or, once all have
 * been made, a few words on the last result. Undefined where no tool is of use.
 */
export function toolAnswer(prompt: string): string | undefined {
  const turn = readToolTurn(prompt);
  const call = turn.tools.length > 0 ? nextCall(turn) : undefined;
  if (call) {
    return renderCall(call);
  }
  return turn.rounds.length > 0 ? closingWords(turn) : undefined;
}

/** The calls that a script wants made now, message by message since the request; undefined once all have been. */
export function scriptedCall(prompt: string, calls: readonly (readonly Call[])[]): string | undefined {
  return calls[readToolTurn(prompt).rounds.length]?.map(renderCall).join('\n');
}

/** A call in the form in which prompts ask for it. */
function renderCall({ name, arguments: values }: Call): string {
  const parameters = Object.entries(values).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // A line break right behind the tag is taken for layout, and then so is the last one.
    const laidOut = /^\r?\n/.test(text) ? `\n${text}\n` : text;
    return `<parameter=${key}>${laidOut}</parameter>\n`;
  });
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
}

function nextCall({ tools, message, rounds, demanded, folder }: ToolTurn): Call | undefined {
  const wished = readWishes(message).flatMap((wish) => callForWish(wish, tools, folder) ?? []);
  const call = (wished.length > 0 ? wished : [callByName(message, tools)])[rounds.length];
  if (demanded === undefined || (call && [call.name, 'any'].includes(demanded))) {
    return call;
  }
  return callOf(tools.find(({ name }) => name === demanded) ?? tools[0]!, message);
}

function closingWords({ rounds }: ToolTurn): string {
  const names = [...new Set(rounds.flat().map(({ tool }) => tool))];
  const last = rounds.at(-1)?.at(-1)?.text.replace(/\s+/g, ' ').trim() ?? '';
  const characters = [...last.slice(0, 2 * QUOTED_CHARACTERS)];
  const quoted = characters.slice(0, QUOTED_CHARACTERS).join('');
  return (
    `Done, as far as the built-in sandbox can: it has called ${names.join(', ')}. ` +
    `The last result begins: “${quoted}${quoted === last ? '' : '…'}”`
  );
}
