import { type ToolChoice, type ToolDefinition } from '../../interfaces/tool-definition.js';

/** The tools of a request whose calls are asked for, and read, as text. */
export interface ToolOffer {
  /** May be empty: calls of earlier turns are text all the same. */
  readonly definitions: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  /** Whether one message may hold several calls. */
  readonly parallel: boolean;
}
