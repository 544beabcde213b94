import { type ToolUse } from './tool-use.js';

/** Context of a text: the call that it answers, and a way to condense texts within it. */
export interface StrategyContext {
  readonly use: ToolUse;
  /** Condenses a text that is contained in another, by the same rules; returns it unchanged if no rule applies. */
  readonly nested: (text: string) => string;
}

/** Recognises one format of tool results and condenses it. */
export interface Strategy {
  /** Name of the rule in the request log and the metrics, in snake case. */
  readonly rule: string;
  /**
   * The condensed text, with a count at the place of every gap; undefined if the text is not of this format. A
   * strategy need not check that its result is short enough: `condense` does so for all of them.
   */
  readonly condense: (text: string, context: StrategyContext) => string | undefined;
}
