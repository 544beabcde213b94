import { type ToolChoice, type ToolDefinition } from '../../interfaces/tool-definition.js';

/** The tools of a request to an upstream that knows only text, so that calls are asked for and read as text. */
export interface ToolOffer {
  /** May be empty; earlier calls in the conversation are rendered as text all the same. */
  readonly definitions: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  /** Whether one message may hold several calls. */
  readonly parallel: boolean;
}

/** Whether the answer may call any tool. */
export function mayCall({ definitions, choice }: ToolOffer): boolean {
  return definitions.length > 0 && choice !== 'none';
}
