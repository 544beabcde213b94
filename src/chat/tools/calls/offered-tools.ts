import { type ToolDefinition } from '../../interfaces/tool-definition.js';
import { EvaluationLimits } from '../schema/evaluation-limits.js';
import { CallableTool } from './callable-tool.js';

/** A namespace in front of a tool's name, as some models write it: `functions.read`, `default_api:read`, `tools/read`. */
const NAMESPACE_PREFIX = /^\s*(?:functions?|tools?|default_api|api)\s*[.:/]+\s*/i;

/** The tools that an answer may call, by name. */
export class OfferedTools {
  private readonly exact: ReadonlyMap<string, CallableTool>;
  /** By folded name; undefined where several tools fold to the same. */
  private readonly folded = new Map<string, CallableTool | undefined>();

  constructor(definitions: readonly ToolDefinition[]) {
    const limits = new EvaluationLimits();
    this.exact = new Map(
      definitions.map((definition) => [definition.function.name, new CallableTool(definition, limits)]),
    );
    for (const tool of this.exact.values()) {
      const key = foldName(tool.name);
      this.folded.set(key, this.folded.has(key) || key === '' ? undefined : tool);
    }
  }

  get isEmpty(): boolean {
    return this.exact.size === 0;
  }

  /** Whether a tool has exactly this name. */
  offers(name: string): boolean {
    return this.exact.has(name);
  }

  /** The tool that a tag of this name can only mean: of this name, or of one that differs in its capital letters. */
  namedByTag(word: string): CallableTool | undefined {
    const tool = this.find(word);
    return tool && (tool.name === word || tool.name.toLowerCase() === word) ? tool : undefined;
  }

  /** Whether the name of a tool begins with these characters. */
  mayOffer(begun: string): boolean {
    return [...this.exact.keys()].some((name) => name.startsWith(begun));
  }

  /**
   * The tool of exactly this name, otherwise the only one whose name differs in nothing but case, separators and a
   * namespace prefix; undefined if there is none or more than one.
   */
  resolve(name: string): CallableTool | undefined {
    return this.find(name) ?? this.find(name.replace(NAMESPACE_PREFIX, ''));
  }

  private find(name: string): CallableTool | undefined {
    return this.exact.get(name) ?? this.folded.get(foldName(name));
  }
}

/** The letters and digits of a name, in lower case. */
function foldName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
