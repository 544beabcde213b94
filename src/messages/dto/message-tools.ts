import { MAX_TOOLS, toFunctionTool, validateFunction } from '../../chat/dto/tools.validator.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type ToolChoice, type ToolDefinition } from '../../chat/interfaces/tool-definition.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { predefinedTool } from './predefined-tools.js';
import { type ToolChange } from './tool-changes.js';

/** The tools of a request. */
export interface MessageTools {
  readonly definitions: readonly ToolDefinition[];
  /** Tools that have no schema, since the provider runs them, or that take a model of its own. The model is not told of them. */
  readonly unsupported: readonly { readonly type: string; readonly name?: string }[];
}

/** Permitted use of the tools. */
export interface MessageToolChoice {
  readonly choice: ToolChoice;
  /** Whether the answer may hold more than one call. */
  readonly isParallel: boolean;
}

/**
 * Checks `tools`, and makes the changes of the conversation to them. A schema is not examined, because it may hold any
 * keyword.
 * @throws InvalidRequestError whose `param` names the field
 */
export function toMessageTools(value: unknown, changes: readonly ToolChange[] = []): MessageTools {
  const reader = new ToolSetReader();
  if (!isAbsent(value)) {
    reader.readTools(value);
  }
  changes.forEach((change) => reader.change(change));
  return { definitions: reader.definitions, unsupported: reader.unsupported };
}

class ToolSetReader {
  readonly unsupported: { type: string; name?: string }[] = [];
  private readonly known = new Map<string, ToolDefinition>();
  private readonly removed = new Set<string>();

  get definitions(): readonly ToolDefinition[] {
    return [...this.known.values()].filter((tool) => !this.removed.has(tool.function.name));
  }

  readTools(value: unknown): void {
    if (!Array.isArray(value)) {
      throw invalidField('tools', 'must be an array');
    }
    if (value.length > MAX_TOOLS) {
      throw invalidField('tools', `must hold at most ${MAX_TOOLS} tools`);
    }
    const names = new Set<string>();
    value.forEach((tool: unknown, index) => this.read(tool, `tools[${index}]`, names));
  }

  /** A tool that comes again takes the place of the one with its name. References to what is not offered change nothing. */
  change({ isAddition, tool, param }: ToolChange): void {
    const { type, name, definition } = isJsonObject(tool) ? tool : {};
    if (isAddition && type === 'tool_definition') {
      this.read(definition, `${param}.definition`, new Set());
      if (this.known.size > MAX_TOOLS) {
        throw invalidField(param, `must not be more than ${MAX_TOOLS} tools with those before`);
      }
    } else if (type === 'tool_reference' && typeof name === 'string') {
      if (isAddition) {
        this.removed.delete(name);
      } else {
        this.removed.add(name);
      }
    }
  }

  /** @param names of the tools with which it stands, among which its own must be the only one */
  private read(tool: unknown, param: string, names: Set<string>): void {
    if (!isJsonObject(tool)) {
      throw invalidField(param, 'must be an object');
    }
    const { type, name } = tool;
    if (!isAbsent(type) && typeof type !== 'string') {
      throw invalidField(`${param}.type`, 'must be a string');
    }
    const predefined = typeof type === 'string' ? predefinedTool(type) : undefined;
    if (predefined) {
      const { description, parameters: input_schema } = predefined;
      this.add(toDefinition({ name, description, input_schema }, param, names));
      return;
    }
    if (typeof type === 'string' && type !== 'custom' && type !== 'function') {
      this.unsupported.push({ type, ...(typeof name === 'string' && { name }) });
      return;
    }
    const toTool = type === 'function' ? toFunctionTool : toDefinition;
    this.add(toTool(tool, param, names));
  }

  private add(definition: ToolDefinition): void {
    this.known.set(definition.function.name, definition);
    this.removed.delete(definition.function.name);
  }
}

/** A tool on the wire, after its check. */
interface WireTool {
  readonly name: string;
  readonly description?: string | null;
  readonly input_schema: JsonObject;
  readonly strict?: boolean | null;
}

function toDefinition(tool: JsonObject, param: string, names: Set<string>): ToolDefinition {
  validateFunction(tool, param, names, 'input_schema');
  const { name, description, input_schema: parameters, strict } = tool as unknown as WireTool;
  return {
    type: 'function',
    function: {
      name,
      ...(!isAbsent(description) && { description }),
      parameters,
      ...(!isAbsent(strict) && { strict }),
    },
  };
}

/**
 * Checks `tool_choice`; `auto` by default.
 * @throws InvalidRequestError if it is malformed, or demands a call that no tool can answer
 */
export function toMessageToolChoice(
  given: unknown,
  { definitions, unsupported }: MessageTools,
): MessageToolChoice {
  const value = choiceOfChat(given);
  if (isAbsent(value)) {
    return { choice: 'auto', isParallel: true };
  }
  if (!isJsonObject(value)) {
    throw invalidField('tool_choice', 'must be an object');
  }
  const { type, name, disable_parallel_tool_use: isSingle = false } = value;
  if (typeof isSingle !== 'boolean') {
    throw invalidField('tool_choice.disable_parallel_tool_use', 'must be a boolean value');
  }
  const isParallel = !isSingle;
  switch (type) {
    case 'auto':
    case 'none':
      return { choice: type, isParallel };
    case 'any':
      if (definitions.length === 0) {
        throw invalidField(
          'tool_choice.type',
          `must not be "any" without tools${unsupported.length > 0 ? HINT : ''}`,
        );
      }
      return { choice: 'required', isParallel };
    case 'tool':
      if (definitions.some((tool) => tool.function.name === name)) {
        return { choice: { type: 'function', function: { name: name as string } }, isParallel };
      }
      throw invalidField(
        'tool_choice.name',
        `must be the name of one of the tools${unsupported.some((tool) => tool.name === name) ? HINT : ''}`,
      );
    default:
      throw invalidField('tool_choice.type', 'must be one of auto, any, tool, none');
  }
}

/** The words of this format for a choice that has the form of the chat format. */
function choiceOfChat(value: unknown): unknown {
  if (typeof value === 'string') {
    return { type: value === 'required' ? 'any' : value };
  }
  return isJsonObject(value) && value.type === 'function'
    ? { type: 'tool', name: isJsonObject(value.function) ? value.function.name : value.name }
    : value;
}

const HINT = ' that have an input_schema: this gateway runs no tools of a provider';
