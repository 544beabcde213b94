import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { ArgumentSchema } from '../schema/argument-schema.js';
import { type Branch, type Schema, SchemaDocument } from '../schema/schema-document.js';
import { renderToolCall } from './render-tool-call.js';

/** Examples go no deeper into nested arguments. */
const MAX_DEPTH = 3;

/** Members of the arguments, and of each object within them, that are shown: a schema that refers to itself multiplies. */
const MAX_ARGUMENTS = 32;
const MAX_MEMBERS = 4;

/** Shows a model that nothing in a value is escaped. */
const SEVERAL_LINES = 'if (a < b && name !== "x") {\n  run(a);\n}\n';

/** Text for string parameters, by a word in their name. */
const TEXTS: readonly [name: RegExp, text: string][] = [
  [/(dir|directory|folder)$/i, 'src/parts'],
  [/path|(file|filename)$/i, 'src/example.ts'],
  [/content|text|body|code|source|^new|replace/i, SEVERAL_LINES],
  [/command|cmd|script/i, 'ls -la "my folder"'],
  [/url|uri|link/i, 'https://example.com/page?a=1&b=2'],
  [/pattern|regex|glob/i, '**/*.ts'],
  [/query|search|question|prompt/i, 'words to look for'],
];

/** Values for formats of strings. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['date', '2025-01-31'],
  ['time', '12:30:00Z'],
  ['date-time', '2025-01-31T12:30:00Z'],
  ['email', 'name@example.com'],
  ['uri', 'https://example.com/page?a=1&b=2'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
]);

/** Tools that are looked at for good examples. */
const MAX_TRIED = 64;

interface Example {
  readonly tool: ToolDefinition['function'];
  readonly json: string;
  readonly hasLines: boolean;
  readonly hasJson: boolean;
}

/**
 * One or two calls of the given tools, with values that fit their parameters: one with text of several lines and one
 * with other kinds of values, if there are such tools.
 * @param parallel show the two in one message
 */
export function exampleCalls(tools: readonly ToolDefinition[], parallel: boolean): string {
  const [first = '', second] = chooseExamples(tools).map(({ tool: { name, parameters }, json }) =>
    renderToolCall({ name, arguments: json }, new ArgumentSchema(parameters)),
  );
  if (second === undefined) {
    return `An example of the form, with made-up values:\n\n${first}`;
  }
  return parallel
    ? `An example of a message with two calls, with made-up values:\n\n${first}\n${second}`
    : `Two examples of the form, with made-up values:\n\n${first}\n\n${second}`;
}

function chooseExamples(tools: readonly ToolDefinition[]): readonly Example[] {
  const tried: Example[] = [];
  let withLines: Example | undefined;
  let withJson: Example | undefined;
  for (const tool of tools.slice(0, MAX_TRIED)) {
    const example = exampleOf(tool);
    tried.push(example);
    if (!withLines && example.hasLines) {
      withLines = example;
    } else if (!withJson && example.hasJson) {
      withJson = example;
    }
    if (withLines && withJson) {
      break;
    }
  }
  return [...new Set([withLines, withJson, ...tried])].filter((one) => one !== undefined).slice(0, 2);
}

function exampleOf({ function: tool }: ToolDefinition): Example {
  const values = exampleArguments(tool.parameters);
  const texts: unknown[] = Object.values(values);
  return {
    tool,
    json: JSON.stringify(values),
    hasLines: texts.includes(SEVERAL_LINES),
    hasJson: texts.some(
      (value) => typeof value === 'number' || (typeof value === 'object' && value !== null),
    ),
  };
}

/** Arguments that fit the parameters of a tool: the required ones, or else the first. */
function exampleArguments(parameters: ToolDefinition['function']['parameters']): object {
  const [branch] = new SchemaDocument(parameters).schema(parameters).branches;
  return branch ? exampleObject(branch, 0) : {};
}

function exampleObject(branch: Branch, depth: number): object {
  const { keys, required } = branch;
  const given = required.length > 0 ? [...new Set(required)] : depth === 0 ? keys.slice(0, 1) : [];
  const shown = given.slice(0, depth === 0 ? MAX_ARGUMENTS : MAX_MEMBERS);
  return Object.fromEntries(shown.map((key) => [key, exampleValue(key, branch.property(key), depth + 1)]));
}

function exampleValue(key: string, schema: Schema, depth: number): unknown {
  const branch = schema.branches.find(({ kinds }) => !kinds?.has('null')) ?? schema.branches[0];
  if (!branch || depth > MAX_DEPTH) {
    return {};
  }
  if (branch.values) {
    return branch.values[0];
  }
  const kind = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const;
  switch (kind.find((one) => branch.admits(one))) {
    case 'integer':
      return numberOf(branch) ?? 10;
    case 'number':
      return numberOf(branch) ?? 1.5;
    case 'boolean':
      return true;
    case 'array':
      return [exampleValue(key, branch.item(0), depth + 1)];
    case 'object':
      return exampleObject(branch, depth);
    case 'null':
      return null;
    case 'string':
    case undefined:
      return exampleText(key, branch.keyword('format'));
  }
}

function numberOf(branch: Branch): number | undefined {
  const least = branch.keyword('minimum');
  return typeof least === 'number' ? least : undefined;
}

function exampleText(key: string, format: unknown): string {
  const byFormat = typeof format === 'string' ? FORMATS.get(format) : undefined;
  return byFormat ?? TEXTS.find(([name]) => name.test(key))?.[1] ?? 'some text';
}
