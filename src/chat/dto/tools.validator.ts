import { type ToolChoice, type ToolDefinition } from '../interfaces/tool-definition.js';
import { invalidField, isAbsent, isJsonObject, type JsonObject } from './wire-values.js';

/** Tools of a request. The limit of the API format is 128, which agents with several tool servers exceed. */
export const MAX_TOOLS = 1024;

/** Names of functions: those of the API format, up to twice as long, and with `.`, `:` and `/` of tool servers. */
const FUNCTION_NAME = /^[a-zA-Z0-9_.:/-]{1,128}$/;

/**
 * Checks `tools`. `parameters` is not checked, because it may hold any keyword of JSON Schema.
 * @throws InvalidRequestError whose `param` names the field
 */
export function validateTools(value: unknown): readonly ToolDefinition[] {
  if (isAbsent(value)) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw invalidField('tools', 'must be an array');
  }
  if (value.length > MAX_TOOLS) {
    throw invalidField('tools', `must hold at most ${MAX_TOOLS} tools`);
  }
  const names = new Set<string>();
  value.forEach((tool: unknown, index) => validateTool(tool, `tools[${index}]`, names));
  return value as ToolDefinition[];
}

function validateTool(tool: unknown, param: string, names: Set<string>): void {
  if (!isJsonObject(tool)) {
    throw invalidField(param, 'must be an object');
  }
  if (tool.type !== 'function') {
    throw invalidField(`${param}.type`, 'must be "function"');
  }
  if (!isJsonObject(tool.function)) {
    throw invalidField(`${param}.function`, 'must be an object');
  }
  validateFunction(tool.function, `${param}.function`, names);
}

/**
 * Checks the definition of one function, which endpoints put in different places.
 * @param names of the functions so far; gains this one
 * @param schemaField the endpoint's field for the schema, which may be missing in `parameters` only
 * @throws InvalidRequestError whose `param` names the field
 */
export function validateFunction(
  definition: JsonObject,
  param: string,
  names: Set<string>,
  schemaField: 'parameters' | 'input_schema' = 'parameters',
): void {
  const { name, description, strict } = definition;
  if (typeof name !== 'string' || !FUNCTION_NAME.test(name)) {
    throw invalidField(`${param}.name`, 'must be 1 to 128 letters, digits, or any of _ - . : /');
  }
  if (names.has(name)) {
    throw invalidField(`${param}.name`, `repeats the name ${name}`);
  }
  names.add(name);
  if (!isAbsent(description) && typeof description !== 'string') {
    throw invalidField(`${param}.description`, 'must be a string');
  }
  const parameters = definition[schemaField];
  if (!isJsonObject(parameters) && !(isAbsent(parameters) && schemaField === 'parameters')) {
    throw invalidField(`${param}.${schemaField}`, 'must be a JSON Schema object');
  }
  if (!isAbsent(strict) && typeof strict !== 'boolean') {
    throw invalidField(`${param}.strict`, 'must be a boolean');
  }
}

/** The tools that may be called, and whether one must be. */
export interface OfferedChoice {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
}

/**
 * Reads `tool_choice`, of which `allowed_tools` narrows the tools.
 * @throws InvalidRequestError if it is malformed or names no offered tool
 */
export function readToolChoice(value: unknown, tools: readonly ToolDefinition[]): OfferedChoice {
  return isJsonObject(value) && value.type === 'allowed_tools'
    ? allowedTools(value.allowed_tools, tools)
    : { tools, choice: plainChoice(value, tools) };
}

function allowedTools(value: unknown, tools: readonly ToolDefinition[]): OfferedChoice {
  const param = 'tool_choice.allowed_tools';
  if (!isJsonObject(value)) {
    throw invalidField(param, 'must be an object');
  }
  const { mode, tools: allowed } = value;
  if (mode !== 'auto' && mode !== 'required') {
    throw invalidField(`${param}.mode`, 'must be auto or required');
  }
  if (!Array.isArray(allowed)) {
    throw invalidField(`${param}.tools`, 'must be an array');
  }
  const known = namesOf(tools);
  const names = new Set(
    allowed.map((tool: unknown, index) => nameOfTool(tool, known, `${param}.tools[${index}].function.name`)),
  );
  const offered = tools.filter((tool) => names.has(tool.function.name));
  if (mode === 'required' && offered.length === 0) {
    throw invalidField(`${param}.mode`, 'must not be "required" without tools');
  }
  return { tools: offered, choice: mode };
}

function namesOf(tools: readonly ToolDefinition[]): ReadonlySet<string> {
  return new Set(tools.map((tool) => tool.function.name));
}

/** The name that a choice gives of one of the tools. */
function nameOfTool(value: unknown, known: ReadonlySet<string>, param: string): string {
  const name = isJsonObject(value) && isJsonObject(value.function) ? value.function.name : undefined;
  if (typeof name !== 'string' || !known.has(name)) {
    throw invalidField(param, 'must be the name of one of the tools');
  }
  return name;
}

/** A choice among all tools; `auto` by default. */
function plainChoice(value: unknown, tools: readonly ToolDefinition[]): ToolChoice {
  if (isAbsent(value)) {
    return 'auto';
  }
  if (value === 'auto' || value === 'none') {
    return value;
  }
  if (value === 'required') {
    if (tools.length === 0) {
      throw invalidField('tool_choice', 'must not be "required" without tools');
    }
    return value;
  }
  if (!isJsonObject(value) || value.type !== 'function' || !isJsonObject(value.function)) {
    throw invalidField(
      'tool_choice',
      'must be "auto", "none", "required", {"type":"function","function":{"name":…}} or of type allowed_tools',
    );
  }
  const name = nameOfTool(value, namesOf(tools), 'tool_choice.function.name');
  return { type: 'function', function: { name } };
}
