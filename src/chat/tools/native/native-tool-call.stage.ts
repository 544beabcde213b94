import { type FinishReason, type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type AnswerVerdict } from '../../completion/guard.js';
import { GrowingText } from '../../completion/stages/growing-text.js';
import { type DeltaSink, type EndAnswer, Stage } from '../../completion/stages/stage.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { ReasonedCalls } from '../calls/reasoned-calls.js';
import {
  droppedCallsNote,
  EMPTY_ANSWER,
  NO_CALL,
  type ToolCallProblem,
  type ToolCallReport,
} from '../calls/tool-call-report.js';
import { ToolCallStage } from '../tool-call.stage.js';
import { NativeCallRewriter } from './native-call-rewriter.js';

export interface NativeToolCallOptions {
  /** The tools that the answer may call; only the named one if `tool_choice` names it. */
  readonly tools: OfferedTools;
  /** Whether the answer must call a tool, so that text is held until the first call, or must not. */
  readonly calling: 'optional' | 'required' | 'forbidden';
  /** Whether the answer may hold more than one call. */
  readonly isParallel: boolean;
  /** Makes the id of a call that the upstream sent without one. */
  readonly nextId: () => string;
  /** Decides on an answer that lacks the required call, holds nothing but forbidden ones, or is empty; before any output. */
  readonly onProblem: (problem: ToolCallProblem) => AnswerVerdict;
  /** Told at the end of an answer that is passed on without calls that it must not make. */
  readonly onDropped: () => void;
  readonly end: EndAnswer;
}

/**
 * Checks the calls of an upstream that knows tools itself by the same rules as calls in text: arguments are coerced to
 * their schema, their JSON is mended where nothing is lost, and `tool_choice` holds, which many servers do not know.
 * Strings are streamed. Arguments that cannot be mended pass unchanged, because the caller knows best how to tell its
 * model.
 */
export class NativeToolCallStage extends Stage {
  /** By index. */
  private readonly calls: (NativeCallRewriter | 'unchecked' | 'left out')[] = [];
  /** What came of calls before their names, by index: some servers send the name late. */
  private readonly unnamed = new Map<number, ToolCallDelta>();
  private readonly notes: string[] = [];
  /** Calls that were let through. */
  private taken = 0;
  /** Calls beyond the only one. */
  private dropped = 0;
  private readonly heldText = new GrowingText();
  /** Undefined without reasoning, and as soon as an answer follows it. */
  private reasoned: ReasonedCalls | undefined;
  /** Whether text or a refusal was passed on. */
  private hasAnswered = false;
  /** Whether nothing but reasoning and white space has come. */
  private isBlank = true;
  private isOver = false;

  constructor(
    next: DeltaSink,
    private readonly options: NativeToolCallOptions,
  ) {
    super(next);
  }

  /** The calls found so far. */
  get report(): ToolCallReport {
    return (
      this.reasoned?.report ?? {
        calls: this.calls.flatMap((call) => (call instanceof NativeCallRewriter ? call.report : [])),
        notes: [...this.notes, ...(this.dropped > 0 ? [droppedCallsNote(this.dropped)] : [])],
      }
    );
  }

  override reasoning(text: string): void {
    if (this.isBlank && this.options.calling !== 'forbidden') {
      this.reasoned ??= this.createReasonedCalls();
      this.reasoned.add(text);
    }
    this.next.reasoning(text);
  }

  override text(text: string): void {
    if (this.isBlank && text.trim() !== '') {
      this.beginAnswer();
    }
    if (this.options.calling === 'required' && this.taken === 0 && !this.hasAnswered) {
      this.heldText.add(text);
    } else {
      this.hasAnswered = true;
      this.next.text(text);
    }
  }

  /** A model that refuses is not asked again for a call. */
  override refusal(text: string): void {
    this.release();
    this.beginAnswer();
    this.hasAnswered = true;
    this.next.refusal(text);
  }

  override toolCall(delta: ToolCallDelta): void {
    if (this.isOver) {
      return;
    }
    this.beginAnswer();
    const call = this.calls[delta.index];
    if (call === undefined) {
      this.begin(delta);
    } else if (call === 'unchecked') {
      this.next.toolCall(delta);
    } else if (call !== 'left out') {
      this.push(call, delta.arguments);
    }
  }

  override flush(reason?: FinishReason): void {
    this.leaveOutUnnamed();
    for (const call of this.calls) {
      if (call instanceof NativeCallRewriter && !this.isOver) {
        call.finish();
        this.endIfBroken(call);
      }
    }
    if (this.hasReasonedCalls(reason) || this.isGivenUp(reason)) {
      return;
    }
    if (this.calls.includes('left out')) {
      this.options.onDropped();
    }
    this.release();
  }

  private createReasonedCalls(): ReasonedCalls {
    const { tools, isParallel, nextId } = this.options;
    return new ReasonedCalls(
      (sink, end) =>
        new ToolCallStage(sink, {
          ...{ tools, isParallel, nextId, end },
          isRequired: false,
          onProblem: () => 'pass',
        }),
    );
  }

  /** Calls in the reasoning do not count any more. */
  private beginAnswer(): void {
    this.isBlank = false;
    this.reasoned = undefined;
  }

  private begin(delta: ToolCallDelta): void {
    const before = this.unnamed.get(delta.index);
    const whole = before ? { ...before, ...delta, arguments: before.arguments + delta.arguments } : delta;
    if (!whole.name) {
      this.unnamed.set(delta.index, whole);
      return;
    }
    this.unnamed.delete(delta.index);
    this.take(whole);
  }

  /** Nobody can run a call without a name, and whoever sends it back in the history is refused for it. */
  private leaveOutUnnamed(): void {
    for (const index of this.unnamed.keys()) {
      this.notes.push('Left out a call without a name.');
      this.calls[index] = 'left out';
    }
  }

  /** Opens a call, or leaves it out. */
  private take(delta: ToolCallDelta): void {
    const { index, id, name = '' } = delta;
    const { calling, tools, isParallel, nextId } = this.options;
    const tool = calling === 'forbidden' ? undefined : tools.resolve(name);
    if (!tool && calling !== 'optional') {
      this.notes.push(`Left out a call of ${JSON.stringify(name)}, which this answer must not call.`);
      this.calls[index] = 'left out';
      return;
    }
    if (this.taken > 0 && !isParallel) {
      this.dropped++;
      this.calls[index] = 'left out';
      return;
    }
    this.taken++;
    this.release();
    if (!tool) {
      this.notes.push(`The upstream called ${JSON.stringify(name)}, which is no tool of the request.`);
      this.calls[index] = 'unchecked';
      this.next.toolCall(id ? delta : { ...delta, id: nextId() });
      return;
    }
    const call = new NativeCallRewriter(tool, {
      index,
      id: id ?? nextId(),
      emit: (piece) => this.next.toolCall(piece),
      onProblem: (problem) => this.notes.push(problem),
    });
    if (name !== tool.name) {
      call.addRepair('name');
    }
    this.calls[index] = call;
    this.push(call, delta.arguments);
  }

  private push(call: NativeCallRewriter, json: string): void {
    call.push(json);
    this.endIfBroken(call);
  }

  private endIfBroken({ isBroken }: NativeCallRewriter): void {
    if (isBroken) {
      this.isOver = true;
      this.options.end('length');
    }
  }

  /** Passes the held text on. */
  private release(): void {
    const { text } = this.heldText;
    if (text !== '') {
      this.heldText.text = '';
      this.hasAnswered = true;
      this.next.text(text);
    }
  }

  /** Whether the answer is nothing but reasoning that ends in calls, which are then passed on. */
  private hasReasonedCalls(reason: FinishReason | undefined): boolean {
    return !isCutOff(reason) && (this.reasoned?.passTo(this.next) ?? false);
  }

  /** Whether the answer breaks `tool_choice`, or has nothing, and is given up for that. */
  private isGivenUp(reason: FinishReason | undefined): boolean {
    const { calling, tools, onProblem } = this.options;
    if (isCutOff(reason) || this.taken > 0 || this.hasAnswered) {
      return false;
    }
    if (calling === 'required') {
      return onProblem({ kind: 'missing', detail: NO_CALL, raw: this.heldText.text }) === 'stop';
    }
    if (calling === 'forbidden' && this.calls.length > 0) {
      const detail = 'The answer calls a tool, but it must not.';
      return onProblem({ kind: 'forbidden', detail, raw: '' }) === 'stop';
    }
    const isEmpty = calling === 'optional' && !tools.isEmpty;
    return isEmpty && onProblem({ kind: 'empty', detail: EMPTY_ANSWER, raw: '' }) === 'stop';
  }
}

/** Whether an answer may have been on its way to a call when it ended. A filter would stop the next answer, too. */
function isCutOff(reason: FinishReason | undefined): boolean {
  return reason === 'length' || reason === 'content_filter';
}
