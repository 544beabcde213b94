import { type FinishReason } from '../../upstream/upstream-driver.js';
import { type AnswerVerdict } from '../completion/guard.js';
import { type DeltaSink, type EndAnswer, Stage } from '../completion/stages/stage.js';
import { AnswerCalls } from './calls/answer-calls.js';
import { type OfferedTools } from './calls/offered-tools.js';
import { ReasonedCalls } from './calls/reasoned-calls.js';
import {
  EMPTY_ANSWER,
  NO_CALL,
  type ToolCallProblem,
  type ToolCallReport,
} from './calls/tool-call-report.js';
import { AnswerReader } from './grammar/answer-reader.js';
import { AnswerText } from './text/answer-text.js';
import { IncrementalParse } from './text/incremental-parse.js';
import { Input } from './text/input.js';

export interface ToolCallOptions {
  /** The tools that the answer may call; only the named one if `tool_choice` names it. */
  readonly tools: OfferedTools;
  /** Whether the answer must call a tool; text is then held until the first call or the end. */
  readonly isRequired: boolean;
  /** Whether the answer may hold more than one call. */
  readonly isParallel: boolean;
  /** Makes the id of the next call. */
  readonly nextId: () => string;
  /**
   * Decides on a call that cannot be read or is of no offered tool, on a missing required one, or on an empty answer;
   * called at most once, before any output.
   */
  readonly onProblem: (problem: ToolCallProblem) => AnswerVerdict;
  readonly end: EndAnswer;
}

/**
 * Finds tool calls in the answer of an upstream that knows only text, in the form that was asked for and in those that
 * models fall back to. Everything else stays text, byte for byte. One pass; the result does not depend on how the
 * answer is cut into pieces.
 */
export class ToolCallStage extends Stage {
  private readonly input = new Input();
  private readonly answerText: AnswerText;
  private readonly calls: AnswerCalls;
  private readonly reader: AnswerReader;
  private readonly parse: IncrementalParse;
  private readonly reasoned: ReasonedCalls;
  private mayReask = true;
  private hasRefused = false;

  constructor(
    next: DeltaSink,
    private readonly options: ToolCallOptions,
  ) {
    super(next);
    const { tools, isParallel, isRequired, nextId } = options;
    const { input } = this;
    this.answerText = new AnswerText((text) => next.text(text), isRequired);
    this.calls = new AnswerCalls({
      isParallel,
      nextId,
      emit: (delta) => next.toolCall(delta),
      onBegin: () => {
        this.answerText.beginCall();
        input.drop();
        input.uncap();
      },
    });
    this.reader = new AnswerReader({ input, tools, calls: this.calls }, this.answerText, {
      end: (reason) => {
        this.answerText.flush();
        options.end(reason);
      },
      giveUp: (problem) => this.giveUp(problem),
    });
    this.parse = new IncrementalParse(input, this.reader.read());
    this.reasoned = new ReasonedCalls(
      (sink, end) => new ToolCallStage(sink, { ...options, isRequired: false, onProblem: () => 'pass', end }),
    );
  }

  /** The calls found so far. */
  get report(): ToolCallReport {
    return this.reasoned.report ?? this.calls.report;
  }

  override reasoning(text: string): void {
    if (!this.reader.isOver) {
      if (this.answerText.isBlank) {
        this.reasoned.add(text);
      }
      this.next.reasoning(text);
    }
  }

  override text(text: string): void {
    if (this.reader.isOver) {
      return;
    }
    if (this.hasRefused) {
      this.next.text(text);
    } else {
      this.input.push(text);
      this.parse.resume();
      this.reader.passUnknownCall();
      this.answerText.flush();
      this.calls.flush();
      if (!this.answerText.isBlank) {
        this.reasoned.drop();
      }
    }
  }

  /** A model that refuses is not asked again for a call, so that nothing before the refusal has to be held. */
  override refusal(text: string): void {
    this.mayReask = false;
    this.endReading();
    this.hasRefused = true;
    if (!this.reader.isOver) {
      this.next.refusal(text);
    }
  }

  override flush(reason?: FinishReason): void {
    if (this.reader.isOver) {
      return;
    }
    // The filter would stop the next answer, too.
    this.mayReask &&= reason !== 'content_filter';
    this.endReading(reason);
  }

  /** What is held passes on, unless the answer is over or given up for what it lacks. */
  private endReading(reason?: FinishReason): void {
    if (this.hasRefused || this.reader.isOver) {
      return;
    }
    this.input.end();
    this.parse.resume();
    if (this.reader.isOver || this.hasReasonedCalls(reason) || this.isGivenUp(reason)) {
      return;
    }
    this.answerText.release();
    this.answerText.end();
  }

  /** Whether the answer is nothing but reasoning that ends in calls, which are then passed on. */
  private hasReasonedCalls(reason: FinishReason | undefined): boolean {
    return this.mayReask && reason !== 'length' && this.answerText.isBlank && this.reasoned.passTo(this.next);
  }

  /**
   * Whether the answer is given up for lacking a required call, for calling no tool that there is, or for lacking all. One
   * cut by a limit may have been on its way to it.
   */
  private isGivenUp(reason: FinishReason | undefined): boolean {
    if (this.calls.total > 0 || reason === 'length') {
      return false;
    }
    const { isBlank, isHeld, heldText: raw } = this.answerText;
    if (this.options.isRequired) {
      const detail = this.reader.lastDoubt || NO_CALL;
      return this.giveUp({ kind: 'missing', detail, raw });
    }
    if (isHeld) {
      return this.giveUp({ kind: 'unknown', detail: this.reader.lastDoubt, raw });
    }
    return isBlank && this.giveUp({ kind: 'empty', detail: EMPTY_ANSWER, raw });
  }

  private giveUp(problem: ToolCallProblem): boolean {
    if (!this.mayReask || this.answerText.hasPassed || this.calls.total > 0) {
      return false;
    }
    this.mayReask = false;
    return this.options.onProblem(problem) === 'stop';
  }
}
