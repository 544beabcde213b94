import { type AnswerCalls } from '../calls/answer-calls.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { type Input } from '../text/input.js';

/** What all parsers of calls in one answer share. */
export interface ParseContext {
  readonly input: Input;
  readonly tools: OfferedTools;
  readonly calls: AnswerCalls;
}
