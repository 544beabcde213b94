import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { GrowingText } from '../../completion/stages/growing-text.js';
import { type DeltaSink, type EndAnswer, type Stage } from '../../completion/stages/stage.js';
import { type ToolCallReport } from './tool-call-report.js';

const NOTE = 'Took the call from the end of the reasoning, behind which nothing came.';

type CallStage = Stage & { readonly report: ToolCallReport };

/**
 * Calls that a model makes without leaving its reasoning. They count if the reasoning ends with them and is all of the
 * answer; otherwise the model only thought of them.
 */
export class ReasonedCalls {
  /** The calls that were passed on; undefined if none were. */
  report: ToolCallReport | undefined;
  private readonly thoughts = new GrowingText();

  /** @param createStage makes a stage that finds calls in text */
  constructor(private readonly createStage: (sink: DeltaSink, end: EndAnswer) => CallStage) {}

  add(reasoning: string): void {
    this.thoughts.add(reasoning);
  }

  /** An answer follows the reasoning, so that its calls do not count. */
  drop(): void {
    this.thoughts.text = '';
  }

  /** @returns whether there were calls */
  passTo(sink: DeltaSink): boolean {
    const ending = new EndingCalls();
    if (this.thoughts.length > 0) {
      const stage = this.createStage(ending, ending.end);
      stage.text(this.thoughts.text);
      stage.flush();
      const { calls, notes } = stage.report;
      this.report = ending.areWhole ? { calls, notes: [...notes, NOTE] } : undefined;
    }
    if (this.report) {
      ending.deltas.forEach((delta) => sink.toolCall(delta));
    }
    return this.report !== undefined;
  }
}

/** Collects the calls with which a text ends. */
class EndingCalls implements DeltaSink {
  readonly deltas: ToolCallDelta[] = [];
  private isFollowed = false;
  private isCut = false;

  readonly end: EndAnswer = (reason) => {
    this.isCut = reason === 'length';
  };

  get areWhole(): boolean {
    return this.deltas.length > 0 && !this.isFollowed && !this.isCut;
  }

  text(text: string): void {
    this.isFollowed ||= this.deltas.length > 0 && text.trim() !== '';
  }

  toolCall(delta: ToolCallDelta): void {
    this.deltas.push(delta);
  }

  reasoning(): void {
    // There is none within it.
  }

  refusal(): void {
    // Nor a refusal.
  }
}
