import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { type ToolChoice, type ToolDefinition } from '../interfaces/tool-definition.js';
import { narrowToAllowed, type OfferedChoice, required } from './allowed-tools.js';
import { customParameters } from './custom-tools.js';
import { invalidField, isAbsent } from './wire-values.js';

/** Tools of a request. The limit of the API format is 128, which agents with several tool servers exceed. */
export const MAX_TOOLS = 1024;

/** Names of functions: those of the API format, up to twice as long, and with `.`, `:` and `/` of tool servers. */
const FUNCTION_NAME = /^[a-zA-Z0-9_.:/-]{1,128}$/;

/** Types of tools that the caller runs. */
const OWN_TYPES = new Set(['function', 'custom']);

/** The tools of a request. */
export interface ChatTools {
  readonly definitions: readonly ToolDefinition[];
  /** Names of the functions that stand for custom tools. */
  readonly custom: ReadonlySet<string>;
  /** Types of the tools that a provider would run, e.g. `web_search`. */
  readonly unsupported: readonly string[];
}

/** Those of most requests, shared by all of them. */
const NO_TOOLS: ChatTools = { definitions: [], custom: new Set(), unsupported: [] };

/**
 * Checks `tools`. `parameters` is not checked, because it may hold any keyword of JSON Schema. A custom tool becomes a
 * function with one string argument.
 * @throws InvalidRequestError whose `param` names the field
 */
export function toChatTools(value: unknown): ChatTools {
  if (isAbsent(value)) {
    return NO_TOOLS;
  }
  if (!Array.isArray(value)) {
    throw invalidField('tools', 'must be an array');
  }
  if (value.length > MAX_TOOLS) {
    throw invalidField('tools', `must hold at most ${MAX_TOOLS} tools`);
  }
  const definitions: ToolDefinition[] = [];
  const custom = new Set<string>();
  const unsupported: string[] = [];
  const names = new Set<string>();
  value.forEach((given: unknown, index) => {
    const param = `tools[${index}]`;
    if (!isJsonObject(given)) {
      throw invalidField(param, 'must be an object');
    }
    const tool = ofMessages(given);
    switch (tool.type) {
      case 'function':
        definitions.push(toFunctionTool(tool, param, names));
        break;
      case 'custom': {
        const definition = toCustomTool(tool, param, names);
        definitions.push(definition);
        custom.add(definition.function.name);
        break;
      }
      default:
        if (typeof tool.type !== 'string') {
          throw invalidField(`${param}.type`, 'must be a string, such as "function"');
        }
        unsupported.push(tool.type);
    }
  });
  return { definitions, custom, unsupported };
}

/** A tool of the Messages format, which some clients send here, as a function; any other as it is. */
export function ofMessages(tool: JsonObject): JsonObject {
  const { type, name, description, input_schema: parameters } = tool;
  return (isAbsent(type) || type === 'custom') && isJsonObject(parameters)
    ? { type: 'function', name, description, parameters }
    : tool;
}

/**
 * A tool of type `function`. Its definition may stand beside its type, as in the Responses format, whose tools some
 * clients send to the other endpoints.
 * @param names of the functions so far; gains this one
 * @throws InvalidRequestError whose `param` names the field
 */
export function toFunctionTool(tool: JsonObject, param: string, names: Set<string>): ToolDefinition {
  if (isAbsent(tool.function) && typeof tool.name === 'string') {
    const { name, description, parameters, strict } = tool;
    const definition = { name, description, parameters, strict };
    validateFunction(definition, param, names);
    return { type: 'function', function: definition as ToolDefinition['function'] };
  }
  if (!isJsonObject(tool.function)) {
    throw invalidField(`${param}.function`, 'must be an object');
  }
  validateFunction(tool.function, `${param}.function`, names);
  return tool as unknown as ToolDefinition;
}

/** As for a function, its definition may stand beside its type. */
function toCustomTool(tool: JsonObject, param: string, names: Set<string>): ToolDefinition {
  const isFlat = isAbsent(tool.custom) && typeof tool.name === 'string';
  const custom = isFlat ? tool : tool.custom;
  const path = isFlat ? param : `${param}.custom`;
  if (!isJsonObject(custom)) {
    throw invalidField(path, 'must be an object');
  }
  const { name, description, format } = custom;
  const definition = { name, description, parameters: toCustomParameters(format, `${path}.format`) };
  validateFunction(definition, path, names);
  return { type: 'function', function: definition as ToolDefinition['function'] };
}

/** This format has the members of a grammar one level deeper. */
function toCustomParameters(format: unknown, param: string): JsonObject {
  return isJsonObject(format) && isJsonObject(format.grammar)
    ? customParameters({ type: format.type, ...format.grammar }, `${param}.grammar`)
    : customParameters(format, param);
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
  const known = namesOf(tools);
  return narrowToAllowed(value, tools, param, (tool, path) =>
    isOfProvider(tool) ? undefined : nameOfTool(tool, known, path),
  );
}

function isOfProvider(tool: unknown): boolean {
  return isJsonObject(tool) && typeof tool.type === 'string' && !OWN_TYPES.has(tool.type);
}

function namesOf(tools: readonly ToolDefinition[]): ReadonlySet<string> {
  return new Set(tools.map((tool) => tool.function.name));
}

/** The name that a choice gives of one of the tools. */
function nameOfTool(value: unknown, known: ReadonlySet<string>, param: string): string {
  const kind = isJsonObject(value) && value.type === 'custom' ? 'custom' : 'function';
  const tool = isJsonObject(value) ? value[kind] : undefined;
  return knownName(isJsonObject(tool) ? tool.name : undefined, known, `${param}.${kind}.name`);
}

function knownName(name: unknown, known: ReadonlySet<string>, param: string): string {
  if (typeof name !== 'string' || !known.has(name)) {
    throw invalidField(param, 'must be the name of one of the tools');
  }
  return name;
}

/** The words of this format for a choice that has the form of the Messages format. */
export function choiceOfMessages(value: unknown): unknown {
  const { type, name } = isJsonObject(value) ? value : {};
  if (type === 'tool') {
    return { type: 'function', name };
  }
  return type === 'auto' || type === 'none' || type === 'any' ? type : value;
}

/** A choice among all tools; `auto` by default. */
function plainChoice(given: unknown, tools: readonly ToolDefinition[]): ToolChoice {
  const value = choiceOfMessages(given);
  if (isAbsent(value)) {
    return 'auto';
  }
  if (value === 'auto' || value === 'none') {
    return value;
  }
  // Mistral's word for the same.
  if (value === 'required' || value === 'any') {
    return required(tools, 'tool_choice');
  }
  const known = namesOf(tools);
  if (isJsonObject(value) && value.type === 'function' && typeof value.name === 'string') {
    return { type: 'function', function: { name: knownName(value.name, known, 'tool_choice.name') } };
  }
  if (!isJsonObject(value) || !namesTool(value)) {
    throw invalidField(
      'tool_choice',
      'must be "auto", "none", "required", {"type":"function","function":{"name":…}} or of type allowed_tools',
    );
  }
  return { type: 'function', function: { name: nameOfTool(value, known, 'tool_choice') } };
}

function namesTool({ type, function: tool, custom }: JsonObject): boolean {
  return (type === 'function' && isJsonObject(tool)) || (type === 'custom' && isJsonObject(custom));
}
