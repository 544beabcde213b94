import { type AnswerCalls } from '../calls/answer-calls.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { type Input } from '../text/input.js';

/** Input, tools and output of all parsers of calls in one answer. */
export interface ParseContext {
  readonly input: Input;
  readonly tools: OfferedTools;
  readonly calls: AnswerCalls;
}
