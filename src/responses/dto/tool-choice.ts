import { narrowToAllowed, type OfferedChoice, required } from '../../chat/dto/allowed-tools.js';
import { choiceOfMessages } from '../../chat/dto/tools.validator.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { functionName, type ResponseTools } from './response-tools.js';

/** A choice in the form of this format, of one in that of another, since clients mix them. */
export function flatChoice(given: unknown): unknown {
  const value = choiceOfMessages(given);
  if (isJsonObject(value) && value.type === 'function' && isJsonObject(value.function)) {
    return { type: 'function', name: value.function.name };
  }
  // Also Mistral's word for the same.
  return value === 'any' ? 'required' : value;
}

/**
 * Reads `tool_choice`; `auto` by default. `allowed_tools` narrows the tools that are offered.
 * @throws InvalidRequestError if it is malformed, names no offered tool, or forces a tool that is not run here
 */
export function chooseTools(given: unknown, tools: ResponseTools): OfferedChoice {
  const value = flatChoice(given);
  const all = tools.definitions;
  if (isAbsent(value) || value === 'auto' || value === 'none') {
    return { tools: all, choice: value === 'none' ? 'none' : 'auto' };
  }
  if (value === 'required') {
    return { tools: all, choice: required(all, 'tool_choice') };
  }
  if (!isJsonObject(value) || typeof value.type !== 'string') {
    throw invalidField('tool_choice', 'must be "auto", "none", "required" or an object with a type');
  }
  switch (value.type) {
    case 'function':
    case 'custom': {
      const name = nameOf(value, 'tool_choice', tools);
      return { tools: all, choice: { type: 'function', function: { name } } };
    }
    case 'allowed_tools':
      return narrowToAllowed(value, all, 'tool_choice', (tool, param) => nameOfAllowed(tool, param, tools));
    default:
      if (isBuiltInOf(tools, value.type)) {
        return { tools: all, choice: { type: 'function', function: { name: value.type } } };
      }
      throw invalidField(
        'tool_choice.type',
        `forces the tool ${value.type}, which this gateway does not run`,
      );
  }
}

function nameOfAllowed(tool: unknown, param: string, tools: ResponseTools): string | undefined {
  if (!isJsonObject(tool)) {
    throw invalidField(param, 'must be an object');
  }
  const { type } = tool;
  if (type === 'function' || type === 'custom') {
    return nameOf(tool, param, tools);
  }
  return typeof type === 'string' && isBuiltInOf(tools, type) ? type : undefined;
}

/** Whether a type, neither function nor custom, is that of an offered tool; it is the name of its function, too. */
function isBuiltInOf({ origins }: ResponseTools, type: string): boolean {
  return origins.get(type)?.kind === type;
}

function nameOf({ name, namespace }: JsonObject, param: string, { origins }: ResponseTools): string {
  const unique = typeof name === 'string' ? functionName(name, namespace) : undefined;
  if (unique === undefined || !origins.has(unique)) {
    throw invalidField(`${param}.name`, 'must be the name of one of the tools');
  }
  return unique;
}
