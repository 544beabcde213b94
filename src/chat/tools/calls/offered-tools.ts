import { isJsonObject } from '../../dto/wire-values.js';
import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { ArgumentSchema } from '../schema/argument-schema.js';

/** A tool that the answer may call. */
export class CallableTool {
  readonly name: string;
  /** How its arguments are read. */
  readonly schema: ArgumentSchema;
  private readonly parameters: ToolDefinition['function']['parameters'];

  constructor({ function: { name, parameters } }: ToolDefinition) {
    this.name = name;
    this.parameters = parameters;
    this.schema = new ArgumentSchema(parameters);
  }

  /** The parameters that its schema demands. */
  get required(): readonly unknown[] {
    const required = this.parameters?.required;
    return Array.isArray(required) ? (required as readonly unknown[]) : [];
  }

  /** Whether its schema names a parameter. */
  declares(key: string): boolean {
    const properties = this.parameters?.properties;
    return isJsonObject(properties) && Object.hasOwn(properties, key);
  }
}

/** Finds the tool that is meant by a name. */
export class OfferedTools {
  private readonly exact: ReadonlyMap<string, CallableTool>;
  /** By folded name; undefined where several tools have the same. */
  private readonly folded = new Map<string, CallableTool | undefined>();

  constructor(definitions: readonly ToolDefinition[]) {
    this.exact = new Map(
      definitions.map((definition) => [definition.function.name, new CallableTool(definition)]),
    );
    for (const tool of this.exact.values()) {
      const key = fold(tool.name);
      this.folded.set(key, this.folded.has(key) || key === '' ? undefined : tool);
    }
  }

  /**
   * The tool of this very name, else the only one whose name differs in nothing but case, separators and a prefix
   * by which models put tools in a namespace; undefined if there is none.
   */
  resolve(name: string): CallableTool | undefined {
    return this.find(name) ?? this.find(name.replace(PREFIX, ''));
  }

  private find(name: string): CallableTool | undefined {
    return this.exact.get(name) ?? this.folded.get(fold(name));
  }
}

const PREFIX = /^\s*(?:functions?|tools?|default_api|api)\s*[.:/]+\s*/i;

/** Nothing but letters and digits, in lower case. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
