import { type DeltaSink, type EndAnswer, Stage } from '../completion/stages/stage.js';
import { AnswerCalls } from './calls/answer-calls.js';
import { type OfferedTools } from './calls/offered-tools.js';
import { type ToolCallProblem, type ToolCallReport } from './calls/tool-call-report.js';
import { AnswerReader } from './grammar/answer-reader.js';
import { AnswerText } from './text/answer-text.js';
import { IncrementalParse, Input } from './text/input.js';

export interface ToolCallOptions {
  /** The tools that the answer may call; with a named `tool_choice`, only that one. */
  readonly tools: OfferedTools;
  /** Whether the answer must call a tool: text then waits for the first call, or the end. */
  readonly isRequired: boolean;
  /** Whether the answer may call more than one. */
  readonly isParallel: boolean;
  /** Makes the id of the next call. */
  readonly nextId: () => string;
  /**
   * A call cannot be read, or a demanded one is missing, and nothing has been let through: called at most once.
   * `reask` gives the answer up: nothing is let through any more. `text` lets it through as it came.
   */
  readonly onProblem: (problem: ToolCallProblem) => 'reask' | 'text';
  readonly end: EndAnswer;
}

/**
 * Finds tool calls in the text of an upstream that knows only text, in the form that is asked for and in those that
 * models fall back to. Everything else stays text, byte for byte. One pass; the result does not depend on how the
 * text arrives in pieces.
 */
export class ToolCallStage extends Stage {
  private readonly input = new Input();
  private readonly answerText: AnswerText;
  private readonly calls: AnswerCalls;
  private readonly reader: AnswerReader;
  private readonly reading: IncrementalParse;
  private mayReask = true;

  constructor(
    next: DeltaSink,
    private readonly options: ToolCallOptions,
  ) {
    super(next);
    const { input } = this;
    this.answerText = new AnswerText((text) => next.text(text), options.isRequired);
    this.calls = new AnswerCalls({
      isParallel: options.isParallel,
      nextId: options.nextId,
      emit: (delta) => next.toolCall(delta),
      onBegin: () => {
        this.answerText.beginCall();
        input.drop();
        input.uncap();
      },
    });
    this.reader = new AnswerReader(input, this.answerText, this.calls, options.tools, {
      end: (reason) => {
        this.answerText.flush();
        options.end(reason);
      },
      giveUp: (problem) => this.giveUp(problem),
    });
    this.reading = new IncrementalParse(input, this.reader.read());
  }

  /** What was found so far. */
  get report(): ToolCallReport {
    return this.calls.report;
  }

  override reasoning(text: string): void {
    if (!this.reader.isOver) {
      this.next.reasoning(text);
    }
  }

  override text(text: string): void {
    if (!this.reader.isOver) {
      this.input.push(text);
      this.reading.resume();
      this.reader.passUnknownCall();
      this.answerText.flush();
      this.calls.flush();
    }
  }

  override flush(): void {
    if (this.reader.isOver) {
      return;
    }
    this.input.end();
    this.reading.resume();
    if (this.reader.isOver || this.isMissing()) {
      return;
    }
    this.answerText.release();
    this.answerText.end();
  }

  /** Whether the answer is given up for want of a call. */
  private isMissing(): boolean {
    if (!this.options.isRequired || this.calls.total > 0) {
      return false;
    }
    const detail = this.reader.lastDoubt || 'The answer calls no tool, but it has to.';
    return this.giveUp({ kind: 'missing', detail, raw: this.answerText.heldText });
  }

  private giveUp(problem: ToolCallProblem): boolean {
    if (!this.mayReask || this.answerText.hasPassed || this.calls.total > 0) {
      return false;
    }
    this.mayReask = false;
    return this.options.onProblem(problem) === 'reask';
  }
}
