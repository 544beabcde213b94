import { type ToolDefinition } from '../../src/chat/interfaces/tool-definition.js';
import { type FinishReason } from '../../src/upstream/upstream-driver.js';

/** An answer of the upstream, and the expected answer to the caller. */
export interface ToolCallCase {
  readonly name: string;
  readonly upstream: string;
  /** Expected text; empty by default. */
  readonly text?: string;
  /** Expected names and arguments, byte for byte; none by default. */
  readonly calls?: readonly (readonly [name: string, json: string])[];
  /** Expected finish reason; by default `tool_calls` with calls and `stop` without. */
  readonly finish?: FinishReason;
  /** Expected repairs of each call; not checked by default. */
  readonly repairs?: readonly (readonly string[])[];
  /** Expected notes of the report; not checked by default. */
  readonly notes?: readonly string[];
  /** Expected problem for which the model could be asked again; none by default. */
  readonly problem?: 'malformed' | 'cut' | 'missing' | 'unknown' | 'empty';
  /** Offered tools; by default `TOOLS`. */
  readonly tools?: readonly ToolDefinition[];
  /** Whether the request admits only one call. */
  readonly isSerial?: boolean;
  /** `true` if the request requires a call of any tool, or the name of the required tool. */
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

/** A call in the form of the contract, with values inline. */
export function callOf(name: string, values: Record<string, string> = {}): string {
  const parameters = Object.entries(values).map(([key, value]) => `<parameter=${key}>${value}</parameter>\n`);
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
}

/** A call of `write_file` whose content stands on lines of its own, as models set long values. */
export function writeOf(content: string): string {
  return callOf('write_file', { path: 'a.txt', content: `\n${content}\n` });
}

export function written(content: string): readonly [string, string] {
  return ['write_file', JSON.stringify({ path: 'a.txt', content })];
}
