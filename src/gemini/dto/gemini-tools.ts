import { MAX_TOOLS, validateFunction } from '../../chat/dto/tools.validator.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type ToolChoice, type ToolDefinition } from '../../chat/interfaces/tool-definition.js';
import { isJsonObject } from '../../common/text/json-object.js';
import { toJsonSchema } from './google-schema.js';
import { elementsOf, membersOf } from './wire-objects.js';

/** The tools of a request, and their permitted use. */
export interface GeminiTools {
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  /** Tools that the provider would run, e.g. `googleSearch`. The model is not told of them. */
  readonly unsupportedTools: readonly string[];
}

const FUNCTIONS = 'functionDeclarations';

/** Kinds of tools that look something up. */
export const LOOKS_UP = /search|urlContext|googleMaps/i;

/**
 * Checks `tools` and `toolConfig`.
 * @throws InvalidRequestError whose `param` names the field
 */
export function toGeminiTools(tools: unknown, toolConfig: unknown): GeminiTools {
  const names = new Set<string>();
  const given = elementsOf(tools).map((tool, index) => membersOf(tool, `tools[${index}]`));
  const definitions = given.flatMap(({ functionDeclarations: declarations }, index) =>
    elementsOf(declarations).map((declaration, at) =>
      toDefinition(declaration, `tools[${index}].functionDeclarations[${at}]`, names),
    ),
  );
  const unsupportedTools = given.flatMap((tool) =>
    Object.keys(tool).filter((kind) => kind !== FUNCTIONS && !isAbsent(tool[kind])),
  );
  if (definitions.length > MAX_TOOLS) {
    throw invalidField('tools', `must hold at most ${MAX_TOOLS} functions`);
  }
  return { ...permitted(definitions, toolConfig), unsupportedTools };
}

function toDefinition(value: unknown, param: string, names: Set<string>): ToolDefinition {
  const { name, description, parameters, parametersJsonSchema: schema } = membersOf(value, param);
  if (!isAbsent(schema) && !isJsonObject(schema)) {
    throw invalidField(`${param}.parametersJsonSchema`, 'must be a JSON Schema object');
  }
  const definition = {
    name,
    ...(!isAbsent(description) && { description }),
    ...(!isAbsent(schema ?? parameters) && { parameters: schema ?? toJsonSchema(parameters) }),
  };
  validateFunction(definition, param, names);
  return { type: 'function', function: definition as ToolDefinition['function'] };
}

function permitted(
  definitions: readonly ToolDefinition[],
  toolConfig: unknown,
): Pick<GeminiTools, 'tools' | 'toolChoice'> {
  const param = 'toolConfig.functionCallingConfig';
  const { functionCallingConfig } = membersOf(toolConfig, 'toolConfig');
  const { mode, allowedFunctionNames: allowed } = membersOf(functionCallingConfig, param);
  const tools = narrowed(definitions, elementsOf(allowed), `${param}.allowedFunctionNames`);
  switch (mode ?? 'AUTO') {
    // With VALIDATED calls conform to their schemas, as far as models can.
    case 'MODE_UNSPECIFIED':
    case 'AUTO':
    case 'VALIDATED':
      return { tools, toolChoice: 'auto' };
    case 'NONE':
      return { tools, toolChoice: 'none' };
    case 'ANY':
      if (tools.length === 0) {
        throw invalidField(`${param}.mode`, 'must not be "ANY" without functions that the model can call');
      }
      return { tools, toolChoice: 'required' };
    default:
      throw invalidField(`${param}.mode`, 'must be one of AUTO, ANY, NONE, VALIDATED');
  }
}

function narrowed(
  definitions: readonly ToolDefinition[],
  allowed: readonly unknown[],
  param: string,
): readonly ToolDefinition[] {
  const known = new Set<unknown>(definitions.map((tool) => tool.function.name));
  const strange = allowed.findIndex((name) => !known.has(name));
  if (strange >= 0) {
    throw invalidField(`${param}[${strange}]`, 'must be the name of one of the functions');
  }
  const names = new Set(allowed);
  return names.size === 0 ? definitions : definitions.filter((tool) => names.has(tool.function.name));
}
