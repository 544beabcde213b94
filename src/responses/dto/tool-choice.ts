import { invalidField, isAbsent, isJsonObject, type JsonObject } from '../../chat/dto/wire-values.js';
import { type ToolChoice, type ToolDefinition } from '../../chat/interfaces/tool-definition.js';
import { functionName, type ResponseTools } from './response-tools.js';

/** Tools that the model may and must call. */
export interface ChosenTools {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
}

/**
 * Reads `tool_choice`; `auto` by default. `allowed_tools` narrows the tools that are offered.
 * @throws InvalidRequestError if it is malformed, names no offered tool, or forces a tool that is not run here
 */
export function chooseTools(value: unknown, tools: ResponseTools): ChosenTools {
  const all = tools.definitions;
  if (isAbsent(value) || value === 'auto' || value === 'none') {
    return { tools: all, choice: value === 'none' ? 'none' : 'auto' };
  }
  // The second is Mistral's word for the same.
  if (value === 'required' || value === 'any') {
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
      return allowedTools(value, tools);
    default:
      throw invalidField(
        'tool_choice.type',
        `forces the tool ${value.type}, which this gateway does not run`,
      );
  }
}

function allowedTools({ mode, tools: allowed }: JsonObject, tools: ResponseTools): ChosenTools {
  if (mode !== 'auto' && mode !== 'required') {
    throw invalidField('tool_choice.mode', 'must be auto or required');
  }
  if (!Array.isArray(allowed)) {
    throw invalidField('tool_choice.tools', 'must be an array');
  }
  const names = new Set<string>();
  allowed.forEach((tool: unknown, index) => {
    const param = `tool_choice.tools[${index}]`;
    if (!isJsonObject(tool)) {
      throw invalidField(param, 'must be an object');
    }
    // Tools of other types are not offered in the first place.
    if (tool.type === 'function' || tool.type === 'custom') {
      names.add(nameOf(tool, param, tools));
    }
  });
  const offered = tools.definitions.filter((tool) => names.has(tool.function.name));
  return { tools: offered, choice: mode === 'required' ? required(offered, 'tool_choice.mode') : 'auto' };
}

function required(tools: readonly ToolDefinition[], param: string): 'required' {
  if (tools.length === 0) {
    throw invalidField(param, 'must not be "required" without tools that the model can call');
  }
  return 'required';
}

function nameOf({ name, namespace }: JsonObject, param: string, { origins }: ResponseTools): string {
  const unique = typeof name === 'string' ? functionName(name, namespace) : undefined;
  if (unique === undefined || !origins.has(unique)) {
    throw invalidField(`${param}.name`, 'must be the name of one of the tools');
  }
  return unique;
}
