import { type ToolDefinition } from '../../src/chat/interfaces/tool-definition.js';
import { type FinishReason } from '../../src/upstream/upstream-driver.js';

/** An upstream's text, and what the caller is to get of it. */
export interface ToolCallCase {
  readonly name: string;
  readonly upstream: string;
  /** Empty by default. */
  readonly text?: string;
  /** Names and arguments, byte for byte; none by default. */
  readonly calls?: readonly (readonly [name: string, json: string])[];
  /** `tool_calls` if there are calls, else `stop`, by default. */
  readonly finish?: FinishReason;
  /** What is reported of each call; not looked at by default. */
  readonly repairs?: readonly (readonly string[])[];
  readonly notes?: readonly string[];
  /** The kind of the problem for which the model could be asked again; none by default. */
  readonly problem?: 'malformed' | 'cut' | 'missing';
  /** Only the first call is wanted. */
  readonly isSerial?: boolean;
  /** A call is demanded: of any tool, or of the named one. */
  readonly demanded?: true | string;
}

function tool(name: string, properties: Record<string, unknown>, required: string[] = []): ToolDefinition {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}

const string = { type: 'string' };
const integer = { type: 'integer' };

/** The tools that are offered in all cases. */
export const TOOLS: readonly ToolDefinition[] = [
  tool(
    'get_weather',
    { city: string, days: integer, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    ['city'],
  ),
  tool('read_file', { path: string, offset: integer, limit: integer }, ['path']),
  tool('write_file', { path: string, content: string, mode: integer }, ['path', 'content']),
  tool('edit_file', {
    path: string,
    edits: {
      type: 'array',
      items: { type: 'object', properties: { old: string, new: string }, required: ['old', 'new'] },
    },
    dry_run: { type: 'boolean' },
  }),
  tool('run_command', {
    command: string,
    timeout: { type: 'number' },
    env: { type: 'object', additionalProperties: string },
  }),
  tool('search', {
    query: { type: ['string', 'null'] },
    tags: { type: 'array', items: string },
    exact: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    within: { $ref: '#/properties/query' },
    extra: {},
  }),
  tool('list_files', {}),
  { type: 'function', function: { name: 'ping' } },
];

/** A call in the form that is asked for, each value inline. */
export function callOf(name: string, values: Record<string, string> = {}): string {
  const parameters = Object.entries(values).map(([key, value]) => `<parameter=${key}>${value}</parameter>\n`);
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
}

/** A call of `write_file` with a content as models set long values: on lines of its own. */
export function writeOf(content: string): string {
  return callOf('write_file', { path: 'a.txt', content: `\n${content}\n` });
}

export function written(content: string): readonly [string, string] {
  return ['write_file', JSON.stringify({ path: 'a.txt', content })];
}
