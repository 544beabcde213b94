import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { ArgumentSchema } from '../schema/argument-schema.js';
import { EvaluationLimits } from '../schema/evaluation-limits.js';
import { type Branch, type Schema, SchemaDocument } from '../schema/schema-document.js';
import { renderToolCall } from './render-tool-call.js';

/** Levels of nested arguments in an example. */
const MAX_DEPTH = 3;

/** Arguments, and members of each object in them, in an example; a schema that refers to itself would multiply them. */
const MAX_ARGUMENTS = 32;
const MAX_MEMBERS = 4;

/** Text of several lines, which shows a model that nothing in a value is escaped. */
const MULTILINE_TEXT = 'if (a < b && name !== "x") {\n  run(a);\n}\n';

/** The same after a change: an edit that changes nothing would teach models to make such edits. */
const CHANGED_TEXT = 'if (a < b && name !== "x") {\n  run(a, b);\n}\n';

interface TextRule {
  /** Matches the names of parameters. */
  readonly names: RegExp;
  /** A name that it matches. */
  readonly example: string;
  readonly text: string;
}

/** Example text for string parameters, by a word in their name; the first match counts. */
export const TEXT_RULES: readonly TextRule[] = [
  { names: /(dir|directory|folder)$/i, example: 'workingDirectory', text: 'src/parts' },
  { names: /path|(file|filename)$/i, example: 'file_path', text: 'src/example.ts' },
  { names: /^new|^updated|replace/i, example: 'new_string', text: CHANGED_TEXT },
  { names: /content|text|body|code|source|^old|^original/i, example: 'old_string', text: MULTILINE_TEXT },
  { names: /command|cmd|script/i, example: 'cmd', text: 'ls -la "my folder"' },
  { names: /url|uri|link/i, example: 'base_url', text: 'https://example.com/page?a=1&b=2' },
  { names: /pattern|regex|glob/i, example: 'glob', text: '**/*.ts' },
  { names: /query|search|question|prompt/i, example: 'searchTerm', text: 'words to look for' },
];

/** Example text for string parameters by their `format`, which comes before the name. */
const TEXT_BY_FORMAT: ReadonlyMap<string, string> = new Map([
  ['date', '2025-01-31'],
  ['time', '12:30:00Z'],
  ['date-time', '2025-01-31T12:30:00Z'],
  ['email', 'name@example.com'],
  ['uri', 'https://example.com/page?a=1&b=2'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
]);

/** Tools that are searched for good examples. */
const MAX_TRIED = 64;

interface Example {
  readonly tool: ToolDefinition['function'];
  readonly json: string;
  /** Whether an argument is text of several lines. */
  readonly hasLines: boolean;
  /** Whether an argument is a number, list or object, which stands as JSON between its tags. */
  readonly hasJson: boolean;
}

/**
 * One or two example calls of the given tools, with values that fit their parameters: if possible one with text of
 * several lines and one with other kinds of values.
 * @param parallel whether both are shown in one message
 */
export function exampleCalls(tools: readonly ToolDefinition[], parallel: boolean): string {
  const limits = new EvaluationLimits();
  const [first = '', second] = chooseExamples(tools, limits).map(({ tool: { name, parameters }, json }) =>
    renderToolCall({ name, arguments: json }, new ArgumentSchema(parameters, limits)),
  );
  if (second === undefined) {
    return `An example of the form, with made-up values:\n\n${first}`;
  }
  return parallel
    ? `An example of a message with two calls, with made-up values:\n\n${first}\n${second}`
    : `Two examples of the form, with made-up values:\n\n${first}\n\n${second}`;
}

function chooseExamples(tools: readonly ToolDefinition[], limits: EvaluationLimits): readonly Example[] {
  const tried: Example[] = [];
  let withLines: Example | undefined;
  let withJson: Example | undefined;
  for (const tool of tools.slice(0, MAX_TRIED)) {
    const example = exampleOf(tool, limits);
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

function exampleOf({ function: tool }: ToolDefinition, limits: EvaluationLimits): Example {
  const values = exampleArguments(tool.parameters, limits);
  const texts: unknown[] = Object.values(values);
  return {
    tool,
    json: JSON.stringify(values),
    hasLines: texts.includes(MULTILINE_TEXT) || texts.includes(CHANGED_TEXT),
    hasJson: texts.some(
      (value) => typeof value === 'number' || (typeof value === 'object' && value !== null),
    ),
  };
}

/** Example arguments of a tool: the required ones, or the first if none is required. */
function exampleArguments(
  parameters: ToolDefinition['function']['parameters'],
  limits: EvaluationLimits,
): object {
  const [branch] = new SchemaDocument(parameters, limits).schema(parameters).branches;
  return branch ? exampleObject(branch, 0) : {};
}

function exampleObject(branch: Branch, depth: number): object {
  const { required } = branch;
  const given = required.length > 0 ? required : depth === 0 ? branch.keys.slice(0, 1) : [];
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
      return minimumOf(branch) ?? 10;
    case 'number':
      return minimumOf(branch) ?? 1.5;
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

function minimumOf(branch: Branch): number | undefined {
  const minimum = branch.keyword('minimum');
  return typeof minimum === 'number' ? minimum : undefined;
}

function exampleText(key: string, format: unknown): string {
  const byFormat = typeof format === 'string' ? TEXT_BY_FORMAT.get(format) : undefined;
  return byFormat ?? TEXT_RULES.find(({ names }) => names.test(key))?.text ?? 'some text';
}
