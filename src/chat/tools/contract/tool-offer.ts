import { type ToolChoice, type ToolDefinition } from '../../interfaces/tool-definition.js';

/** The tools of a request, and what the answer may do with them. */
export interface ToolOffer {
  /** May be empty; earlier calls in the conversation are told to the model all the same. */
  readonly definitions: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  /** Whether one message may hold several calls. */
  readonly parallel: boolean;
}

/** Whether the answer may call any tool. */
export function mayCall({ definitions, choice }: ToolOffer): boolean {
  return definitions.length > 0 && choice !== 'none';
}

/** Whether the answer must call a tool. */
export function mustCall({ choice }: ToolOffer): boolean {
  return choice !== 'auto' && choice !== 'none';
}

/** The tools that the answer may call: with a named choice, only that one. */
export function callableTools({ definitions, choice }: ToolOffer): readonly ToolDefinition[] {
  return typeof choice === 'object'
    ? definitions.filter((tool) => tool.function.name === choice.function.name)
    : definitions;
}
