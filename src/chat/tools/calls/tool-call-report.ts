/** The calls that the parser found in one answer, for the log. */
export interface ToolCallReport {
  readonly calls: readonly ReportedCall[];
  /** One sentence for each part of the answer that was left out and each call that broke off. */
  readonly notes: readonly string[];
}

export interface ReportedCall {
  readonly id: string;
  readonly name: string;
  /** Names of the repairs, e.g. `trailing_comma`, each once; empty for a well-formed call. */
  readonly repairs: readonly string[];
}

/** The note on the calls that were left out of an answer which may hold only one. */
export function droppedCallsNote(count: number): string {
  return `Dropped ${count} more: only one call at a time was asked for.`;
}

/** What is told of an answer without the call that was asked for. */
export const NO_CALL = 'The answer calls no tool, but it has to.';

/** What is told of an answer that is empty. */
export const EMPTY_ANSWER = 'The answer has neither text nor a call.';

/** Why an answer is of no use for its calls, or for their lack. */
export interface ToolCallProblem {
  /**
   * `malformed`: a call cannot be read; `cut`: the answer ends inside a call; `missing`: a required call is not there;
   * `unknown`: the answer begins with a call of no offered tool; `forbidden`: there is nothing but calls, where none may
   * be; `empty`: there is neither a call nor text.
   */
  readonly kind: 'malformed' | 'cut' | 'missing' | 'unknown' | 'forbidden' | 'empty';
  /** One sentence for the model and the log. */
  readonly detail: string;
  /** The unreadable part of the answer; for `missing` and `unknown` the whole answer. */
  readonly raw: string;
}
