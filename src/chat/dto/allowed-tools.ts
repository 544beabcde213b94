import { type JsonObject } from '../../common/text/json-object.js';
import { type ToolChoice, type ToolDefinition } from '../interfaces/tool-definition.js';
import { invalidField } from './wire-values.js';

/** The tools that may be called, and whether one must be. */
export interface OfferedChoice {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
}

/**
 * Reads the choice of type `allowed_tools`, which narrows the tools.
 * @param choice holds `mode` and `tools`
 * @param param name of the choice for errors
 * @param nameOf name of the tool that an entry of `tools` stands for; undefined for one that is not offered in the first place
 * @throws InvalidRequestError if it is malformed or names no offered tool
 */
export function narrowToAllowed(
  { mode, tools: allowed }: JsonObject,
  tools: readonly ToolDefinition[],
  param: string,
  nameOf: (entry: unknown, param: string) => string | undefined,
): OfferedChoice {
  if (mode !== 'auto' && mode !== 'required') {
    throw invalidField(`${param}.mode`, 'must be auto or required');
  }
  if (!Array.isArray(allowed)) {
    throw invalidField(`${param}.tools`, 'must be an array');
  }
  const names = new Set(allowed.map((entry: unknown, index) => nameOf(entry, `${param}.tools[${index}]`)));
  const offered = tools.filter((tool) => names.has(tool.function.name));
  return { tools: offered, choice: mode === 'required' ? required(offered, `${param}.mode`) : mode };
}

/** @throws InvalidRequestError if there is nothing to call */
export function required(tools: readonly ToolDefinition[], param: string): 'required' {
  if (tools.length === 0) {
    throw invalidField(param, 'must not be "required" without tools that the model can call');
  }
  return 'required';
}
