import { isJsonObject } from '../../../common/text/json-object.js';
import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { ArgumentSchema } from '../schema/argument-schema.js';
import { type EvaluationLimits } from '../schema/evaluation-limits.js';

/** A tool that the answer may call. */
export class CallableTool {
  readonly name: string;
  /** The schema of its arguments, by which their values are read. */
  readonly schema: ArgumentSchema;
  private readonly parameters: ToolDefinition['function']['parameters'];

  /** @param limits shared by the tools of one request */
  constructor({ function: { name, parameters } }: ToolDefinition, limits?: EvaluationLimits) {
    this.name = name;
    this.parameters = parameters;
    this.schema = new ArgumentSchema(parameters, limits);
  }

  /** Names of the required parameters, as the caller gave them: not checked to be strings. */
  get required(): readonly unknown[] {
    const required = this.parameters?.required;
    return Array.isArray(required) ? (required as readonly unknown[]) : [];
  }

  /** Names of all parameters that the schema has. */
  get keys(): readonly string[] {
    const properties = this.parameters?.properties;
    return isJsonObject(properties) ? Object.keys(properties) : [];
  }

  /** Whether the schema has a parameter of this name. */
  declares(key: string): boolean {
    const properties = this.parameters?.properties;
    return isJsonObject(properties) && Object.hasOwn(properties, key);
  }

  /** The parameter that a value without a name can only mean, next to those that are given. */
  soleKeyBeside(given: ReadonlySet<string>): string | undefined {
    const open = this.keys.filter((key) => !given.has(key));
    const isRequired = new Set(this.required);
    const required = open.filter((key) => isRequired.has(key));
    const candidates = required.length > 0 ? required : open;
    return candidates.length === 1 ? candidates[0] : undefined;
  }
}
