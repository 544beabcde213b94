import { isJsonObject } from '../../common/text/json-object.js';
import { parsedJson } from '../../common/text/parsed-json.js';
import { lastTurn } from './sandbox-prompt.js';

/** A tool as a prompt describes it. */
export interface PromptTool {
  readonly name: string;
  /** JSON Schema of its arguments, as the caller wrote it. */
  readonly parameters: unknown;
}

/** Tools of a prompt, and the progress of its last turn with them. */
export interface ToolTurn {
  readonly tools: readonly PromptTool[];
  /** The last message of the user. */
  readonly message: string;
  /** Tools whose results follow the last user message, by name; a group for each message that called some. */
  readonly rounds: readonly (readonly string[])[];
  /** Name of the tool that the next message must call, or `any`; undefined if it need not call one. */
  readonly demanded?: string;
}

/** The demand of `tool_choice` stands in the last lines of a prompt. */
const DEMAND_CHARACTERS = 2000;

export function readToolTurn(prompt: string): ToolTurn {
  const demand = /\bmust call (?:a tool|the tool (\S+?)):/.exec(prompt.slice(-DEMAND_CHARACTERS));
  const { message, after } = lastTurn(prompt);
  return {
    tools: toolsOf(prompt),
    message,
    rounds: resultRounds(after),
    demanded: demand ? (demand[1] ?? 'any') : undefined,
  };
}

/** The tools of a prompt: one JSON object per line, between tags on lines of their own. */
function toolsOf(prompt: string): PromptTool[] {
  const start = prompt.indexOf('\n<tool_definitions>\n{');
  const end = prompt.indexOf('\n</tool_definitions>', start);
  if (start === -1 || end === -1) {
    return [];
  }
  return prompt
    .slice(start + '\n<tool_definitions>\n'.length, end)
    .split('\n')
    .flatMap(readTool);
}

/** No tool for a line that describes none. */
function readTool(line: string): PromptTool[] {
  const tool = parsedJson(line);
  return isJsonObject(tool) && typeof tool.name === 'string'
    ? [{ name: tool.name, parameters: tool.parameters }]
    : [];
}

/** Results next to each other belong to the calls of one message. */
function resultRounds(text: string): string[][] {
  const rounds: string[][] = [];
  let end = -1;
  for (const match of text.matchAll(/^<tool_response name="([^"\n]*)">\n[^]*?\n<\/tool_response>$/gm)) {
    if (end === -1 || text.slice(end, match.index).trim() !== '') {
      rounds.push([]);
    }
    rounds.at(-1)?.push(match[1]!);
    end = match.index + match[0].length;
  }
  return rounds;
}
