import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { GrowingText } from '../../completion/stages/growing-text.js';
import { type DeltaSink, type EndAnswer, type Stage } from '../../completion/stages/stage.js';
import { type ToolCallReport } from './tool-call-report.js';

const NOTE = 'Took the call from the end of the reasoning, behind which nothing came.';

/** Characters from the end of the reasoning that are read at least; of small pieces, up to twice as many are kept. */
const KEPT_LENGTH = 65_536;

type CallStage = Stage & { readonly report: ToolCallReport };

/**
 * Calls that a model makes without leaving its reasoning. They count if the reasoning ends with them and is all of the
 * answer; otherwise the model only thought of them.
 */
export class ReasonedCalls {
  /** The calls that were passed on; undefined if none were. */
  report: ToolCallReport | undefined;
  /** The end of the reasoning, and a block in front of it, so that each piece is moved once. */
  private readonly thoughts = new GrowingText();
  private before = '';
  private isCut = false;

  /** @param createStage makes a stage that finds calls in text */
  constructor(private readonly createStage: (sink: DeltaSink, end: EndAnswer) => CallStage) {}

  add(reasoning: string): void {
    const { thoughts } = this;
    if (thoughts.length >= KEPT_LENGTH) {
      this.isCut ||= this.before !== '';
      this.before = thoughts.text;
      thoughts.text = '';
    }
    this.isCut ||= reasoning.length > KEPT_LENGTH;
    thoughts.add(reasoning.slice(-KEPT_LENGTH));
  }

  /** An answer follows the reasoning, so that its calls do not count. */
  drop(): void {
    this.before = '';
    this.thoughts.text = '';
  }

  /** @returns whether there were calls */
  passTo(sink: DeltaSink): boolean {
    const ending = new EndingCalls();
    if (this.thoughts.length > 0) {
      const stage = this.createStage(ending, ending.end);
      // What is cut must not look like the beginning of the reasoning, where a call needs no markup.
      stage.text((this.isCut ? '… ' : '') + this.before + this.thoughts.text);
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
  private isBrokenOff = false;

  /** A call is cut, or the model goes on with a result that it made up. */
  readonly end: EndAnswer = () => {
    this.isBrokenOff = true;
  };

  get areWhole(): boolean {
    return this.deltas.length > 0 && !this.isFollowed && !this.isBrokenOff;
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
