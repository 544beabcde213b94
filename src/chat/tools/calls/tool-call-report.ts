/** What the parser found in one answer, for the log. */
export interface ToolCallReport {
  readonly calls: readonly ReportedCall[];
  /** What was left out of the answer, and calls that broke off: one sentence each. */
  readonly notes: readonly string[];
}

export interface ReportedCall {
  readonly id: string;
  readonly name: string;
  /** What was mended, e.g. `trailing_comma`, each once; empty for a call that came well-formed. */
  readonly repairs: readonly string[];
}

/** Why an answer is of no use to a caller who wants a tool call. */
export interface ToolCallProblem {
  /** `malformed`: a call cannot be read; `cut`: its text ends too early; `missing`: a demanded call is not there. */
  readonly kind: 'malformed' | 'cut' | 'missing';
  /** What is wrong, in one sentence, for the model and the log. */
  readonly detail: string;
  /** The answer so far, or the part of it that cannot be read. */
  readonly raw: string;
}
