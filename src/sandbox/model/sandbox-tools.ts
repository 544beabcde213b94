import { lastUserMessage } from './sandbox-prompt.js';

/** A JSON Schema as far as the sandbox understands it. */
export interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly items?: ParameterSchema;
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ParameterSchema[];
  readonly oneOf?: readonly ParameterSchema[];
}

/** A tool as a prompt describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParameterSchema;
}

export interface ToolResult {
  readonly tool: string;
  readonly text: string;
}

/** What a prompt says of tools, and how far the latest request has come. */
export interface ToolTurn {
  readonly tools: readonly OfferedTool[];
  /** The latest message of the user. */
  readonly message: string;
  /** The results since then, by the message that asked for them. */
  readonly rounds: readonly (readonly ToolResult[])[];
  /** A tool that has to be called now, or `any`. */
  readonly demanded?: string;
  /** The folder that the user works in, if the prompt says so. */
  readonly folder?: string;
}

/** A folder is named somewhere near the beginning, or not at all. */
const SEARCHED_FOR_FOLDER = 200_000;
/** How prompts name it, the surest way first. */
const FOLDERS = [
  'working (?:in the )?director(?:y|ies)|cwd',
  '(?:workspace|project)(?: root| folder| directory)?',
].map(
  (words) =>
    new RegExp(
      `\\b(?:${words})\\b[^\\n/\\\\]{0,60}?[\\s:=\`"'(]((?:/|[A-Za-z]:\\\\)[^\\s\`"',;)]*[^\\s\`"',;).])`,
      'gi',
    ),
);

const RESULT = /<tool_response name="([^"\n]*)">\n([\s\S]*?)\n<\/tool_response>(?=\n|$)/y;

/** What a model would read of tools in a prompt. */
export function readToolTurn(prompt: string): ToolTurn {
  const demand = /\bmust call (?:a tool|the tool (\S+?)):/.exec(prompt.slice(-2000));
  return {
    tools: offeredTools(prompt),
    message: lastUserMessage(prompt),
    rounds: resultRounds(prompt),
    demanded: demand ? (demand[1] ?? 'any') : undefined,
    folder: folderOf(prompt.slice(0, SEARCHED_FOR_FOLDER)),
  };
}

/** The one that is named last: what comes first are often examples. */
function folderOf(text: string): string | undefined {
  for (const folder of FOLDERS) {
    const found = [...text.matchAll(folder)]
      .map((match) => match[1]!)
      .filter((path) => !path.startsWith('/path/to'));
    if (found.length > 0) {
      return found.at(-1);
    }
  }
  return undefined;
}

/** The tools of a prompt: one JSON object a line, between tags on lines of their own. */
function offeredTools(prompt: string): OfferedTool[] {
  const start = prompt.indexOf('\n<tools>\n{');
  const end = prompt.indexOf('\n</tools>', start);
  if (start === -1 || end === -1) {
    return [];
  }
  return prompt
    .slice(start + '\n<tools>\n'.length, end)
    .split('\n')
    .flatMap(readTool);
}

function readTool(line: string): OfferedTool[] {
  try {
    const { name, description, parameters } = JSON.parse(line) as Record<string, unknown>;
    return typeof name === 'string'
      ? [
          {
            name,
            description: typeof description === 'string' ? description : '',
            parameters: typeof parameters === 'object' && parameters !== null ? parameters : {},
          },
        ]
      : [];
  } catch {
    return [];
  }
}

/** The results behind the last message of the user; those next to each other answer one message. */
function resultRounds(prompt: string): ToolResult[][] {
  const user = Math.max(prompt.lastIndexOf('\n<user>\n'), prompt.startsWith('<user>\n') ? 0 : -1);
  const rounds: ToolResult[][] = [];
  let end = -1;
  for (let at = resultAfter(prompt, Math.max(user, 0)); at !== -1; at = resultAfter(prompt, end)) {
    RESULT.lastIndex = at;
    const match = RESULT.exec(prompt);
    if (!match) {
      break;
    }
    const result = { tool: match[1]!, text: match[2]! };
    const isNext = end !== -1 && prompt.slice(end, at).trim() === '';
    if (isNext) {
      rounds.at(-1)?.push(result);
    } else {
      rounds.push([result]);
    }
    end = RESULT.lastIndex;
  }
  return rounds;
}

function resultAfter(prompt: string, from: number): number {
  const at = prompt.indexOf('\n<tool_response name="', from);
  return at === -1 ? -1 : at + 1;
}
