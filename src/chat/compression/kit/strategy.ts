import { type ToolUse } from './tool-use.js';

/** What a strategy knows beside the text. */
export interface StrategyContext {
  readonly use: ToolUse;
  /** Condenses a text that is wrapped in another, by the same rules; the text itself when nothing applies. */
  readonly nested: (text: string) => string;
}

/** One way of condensing one kind of tool result. */
export interface Strategy {
  /** Name in the request log. */
  readonly rule: string;
  /**
   * The shorter form, in which every gap is counted at its place; undefined when the text is not of this kind.
   * Whether the form is short enough to be worth it is decided elsewhere.
   */
  readonly condense: (text: string, context: StrategyContext) => string | undefined;
}
