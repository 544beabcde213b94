import { customParameters } from '../../chat/dto/custom-tools.js';
import { MAX_TOOLS, ofMessages, validateFunction } from '../../chat/dto/tools.validator.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { type ToolDefinition } from '../../chat/interfaces/tool-definition.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { builtInFields, type BuiltInKind } from './built-in-tools.js';
import { type InputItem } from './input-items.validator.js';

/** Identity of a tool for the caller. */
export interface ToolOrigin {
  readonly kind: 'function' | 'custom' | 'tool_search' | BuiltInKind;
  readonly name: string;
  readonly namespace?: string;
}

/** The tools of a request, as functions of the internal request. */
export interface ResponseTools {
  readonly definitions: readonly ToolDefinition[];
  /** By the name of the function. */
  readonly origins: ReadonlyMap<string, ToolOrigin>;
  /** Types of the tools that would run on a server of the provider, e.g. `web_search`: the model is not told of them. */
  readonly unsupported: readonly string[];
}

/** Name of the function that stands for a tool of a namespace. */
export function functionName(name: string, namespace?: unknown): string {
  if (typeof namespace !== 'string' || namespace === '') {
    return name;
  }
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}

/** A function in the form of this format, of one in that of another, since clients mix them; anything else as it is. */
export function flatTool(tool: unknown): unknown {
  if (!isJsonObject(tool)) {
    return tool;
  }
  const { type, function: definition, name } = tool;
  return type === 'function' && isAbsent(name) && isJsonObject(definition)
    ? { ...definition, type }
    : ofMessages(tool);
}

/** A list of tools, with its name for errors. */
export interface ToolList {
  readonly tools: unknown;
  readonly param: string;
}

/**
 * Reads `tools` and the lists that the conversation adds. A custom tool becomes a function with one string argument; the
 * functions of a namespace get its name in front of theirs. A tool of a later list takes the place of one with its name.
 * @throws InvalidRequestError whose `param` names the field
 */
export function readTools(tools: unknown, added: readonly ToolList[] = []): ResponseTools {
  const reader = new ToolReader();
  if (!isAbsent(tools)) {
    reader.readList({ tools, param: 'tools' });
  }
  added.forEach((list) => reader.readList(list));
  const { definitions, origins, unsupported } = reader;
  return { definitions: [...definitions.values()], origins, unsupported: [...unsupported] };
}

/**
 * The lists of tools that items bring; a search that found nothing may bring none.
 * @param previous items of the responses before
 */
export function addedTools(previous: readonly InputItem[], input: readonly InputItem[]): readonly ToolList[] {
  return [
    ...previous.map(({ type, tools }) => ({ type, tools, param: 'previous_response_id' })),
    ...input.map(({ type, tools }, index) => ({ type, tools, param: `input[${index}].tools` })),
  ].filter(bringsTools);
}

export function bringsTools({ type, tools }: InputItem): boolean {
  return type === 'additional_tools' || (type === 'tool_search_output' && Boolean(tools));
}

class ToolReader {
  /** By the name of the function, like the next. */
  readonly definitions = new Map<string, ToolDefinition>();
  readonly origins = new Map<string, ToolOrigin>();
  readonly unsupported = new Set<string>();
  /** Of the list that is being read. */
  private names = new Set<string>();

  readList({ tools, param }: ToolList): void {
    if (!Array.isArray(tools)) {
      throw invalidField(param, 'must be an array');
    }
    this.names = new Set();
    tools.forEach((tool: unknown, index) => this.read(flatTool(tool), `${param}[${index}]`));
    if (this.definitions.size > MAX_TOOLS) {
      throw invalidField(param, `must hold at most ${MAX_TOOLS} tools`);
    }
  }

  private read(tool: unknown, param: string): void {
    const { type, ...fields } = checkType(tool, param);
    switch (type) {
      case 'function':
      case 'custom':
        this.add(type, fields, param);
        break;
      case 'namespace':
        this.addNamespace(fields, param);
        break;
      case 'tool_search':
        // Agents search among their own tools, those of MCP servers, where these are many.
        if (fields.execution === 'client' && !isAbsent(fields.parameters)) {
          this.add(type, { ...fields, name: type }, param);
        } else {
          this.unsupported.add(type);
        }
        break;
      case 'apply_patch':
      case 'local_shell':
      case 'shell':
        this.addBuiltIn(type, fields, param);
        break;
      default:
        this.unsupported.add(type);
    }
  }

  private addBuiltIn(kind: BuiltInKind, given: JsonObject, param: string): void {
    const fields = builtInFields(kind, given);
    if (fields) {
      this.add(kind, fields, param);
    } else {
      this.unsupported.add(kind);
    }
  }

  private addNamespace({ name, description, tools }: JsonObject, param: string): void {
    if (typeof name !== 'string' || name === '') {
      throw invalidField(`${param}.name`, 'must be a non-empty string');
    }
    if (!Array.isArray(tools)) {
      throw invalidField(`${param}.tools`, 'must be an array');
    }
    tools.forEach((tool: unknown, index) => {
      const place = `${param}.tools[${index}]`;
      const { type, ...fields } = checkType(tool, place);
      if (type !== 'function' && type !== 'custom') {
        throw invalidField(`${place}.type`, 'must be "function" or "custom"');
      }
      // What is said of the namespace is told once, since a description may be long.
      const about = index === 0 && typeof description === 'string' ? description : '';
      this.add(type, fields, place, { name, about });
    });
  }

  private add(
    kind: ToolOrigin['kind'],
    fields: JsonObject,
    param: string,
    namespace?: { readonly name: string; readonly about: string },
  ): void {
    const { name, description, strict } = fields;
    const unique = typeof name === 'string' ? functionName(name, namespace?.name) : name;
    const about = [namespace?.about, description].filter((text) => !isAbsent(text) && text !== '');
    const definition = {
      name: unique,
      // A description of another type is left as it is, to be refused.
      ...(about.length > 0 && { description: about.length === 1 ? about[0] : about.join('\n\n') }),
      ...(kind === 'custom'
        ? { parameters: customParameters(fields.format, `${param}.format`) }
        : !isAbsent(fields.parameters) && { parameters: fields.parameters }),
      ...(kind === 'function' && !isAbsent(strict) && { strict }),
    };
    validateFunction(definition, param, this.names);
    const key = unique as string;
    this.definitions.set(key, { type: 'function', function: definition as ToolDefinition['function'] });
    this.origins.set(key, {
      kind,
      name: name as string,
      ...(namespace && { namespace: namespace.name }),
    });
  }
}

function checkType(tool: unknown, param: string): JsonObject & { readonly type: string } {
  if (!isJsonObject(tool)) {
    throw invalidField(param, 'must be an object');
  }
  const { type } = tool;
  if (typeof type !== 'string') {
    throw invalidField(`${param}.type`, 'must be a string');
  }
  return { ...tool, type };
}
