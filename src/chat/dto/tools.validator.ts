import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type ToolChoice, type ToolDefinition } from '../interfaces/tool-definition.js';

/** The format's own limit is 128; agents with several tool servers attached go beyond it. */
const MAX_TOOLS = 1024;

/** What the format allows as a function name. */
const FUNCTION_NAME = /^[a-zA-Z0-9_.:/-]{1,128}$/;

/**
 * Checks `tools`. `parameters` stays as it is: any JSON Schema keyword may stand there.
 * @throws InvalidRequestError whose `param` names the field
 */
export function validateTools(value: unknown): readonly ToolDefinition[] {
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new InvalidRequestError('tools must be an array', 'tools');
  }
  if (value.length > MAX_TOOLS) {
    throw new InvalidRequestError(`tools must hold at most ${MAX_TOOLS} tools`, 'tools');
  }
  const names = new Set<string>();
  value.forEach((tool: unknown, index) => validateTool(tool, `tools[${index}]`, names));
  return value as ToolDefinition[];
}

function validateTool(tool: unknown, param: string, names: Set<string>): void {
  if (!isObject(tool)) {
    throw invalid(param, 'must be an object');
  }
  if (tool.type !== 'function') {
    throw invalid(`${param}.type`, 'must be "function"');
  }
  if (!isObject(tool.function)) {
    throw invalid(`${param}.function`, 'must be an object');
  }
  const { name, description, parameters, strict } = tool.function;
  if (typeof name !== 'string' || !FUNCTION_NAME.test(name)) {
    throw invalid(`${param}.function.name`, 'must be 1 to 128 letters, digits, or any of _ - . : /');
  }
  if (names.has(name)) {
    throw invalid(`${param}.function.name`, `repeats the name ${name}`);
  }
  names.add(name);
  if (!isAbsent(description) && typeof description !== 'string') {
    throw invalid(`${param}.function.description`, 'must be a string');
  }
  if (!isAbsent(parameters) && !isObject(parameters)) {
    throw invalid(`${param}.function.parameters`, 'must be a JSON Schema object');
  }
  if (!isAbsent(strict) && typeof strict !== 'boolean') {
    throw invalid(`${param}.function.strict`, 'must be a boolean');
  }
}

/** @throws InvalidRequestError if the choice is malformed or names no offered tool */
export function validateToolChoice(value: unknown, tools: readonly ToolDefinition[]): ToolChoice {
  if (isAbsent(value)) {
    return 'auto';
  }
  if (value === 'auto' || value === 'none') {
    return value;
  }
  if (value === 'required') {
    if (tools.length === 0) {
      throw invalid('tool_choice', 'must not be "required" without tools');
    }
    return value;
  }
  if (!isObject(value) || value.type !== 'function' || !isObject(value.function)) {
    throw invalid(
      'tool_choice',
      'must be "auto", "none", "required" or {"type":"function","function":{"name":…}}',
    );
  }
  const { name } = value.function;
  if (typeof name !== 'string' || !tools.some((tool) => tool.function.name === name)) {
    throw invalid('tool_choice.function.name', 'must be the name of one of the tools');
  }
  return { type: 'function', function: { name } };
}

function invalid(param: string, problem: string): InvalidRequestError {
  return new InvalidRequestError(`${param} ${problem}`, param);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
