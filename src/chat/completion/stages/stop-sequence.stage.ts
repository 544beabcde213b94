import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { partialSuffixLength } from './partial-suffix.js';
import { type DeltaSink, type EndAnswer, Stage } from './stage.js';

/**
 * Ends the answer before the first stop sequence, which upstreams reached through a chat box cannot do themselves.
 * The sequence that is complete first counts, as where a model stops by itself; of two, the longer. Reasoning is
 * not searched. Holds back at most the longest sequence less one character.
 */
export class StopSequenceStage extends Stage {
  private held = '';

  constructor(
    next: DeltaSink,
    private readonly sequences: readonly string[],
    private readonly end: EndAnswer,
  ) {
    super(next);
  }

  override text(text: string): void {
    const window = this.held + text;
    this.held = '';
    const stopAt = this.findStop(window);
    if (stopAt !== undefined) {
      this.emit(window.slice(0, stopAt));
      this.end('stop');
      return;
    }
    const partials = this.sequences.map((sequence) => partialSuffixLength(window, sequence));
    const sure = window.length - Math.max(...partials);
    this.held = window.slice(sure);
    this.emit(window.slice(0, sure));
  }

  override toolCall(delta: ToolCallDelta): void {
    this.flush();
    this.next.toolCall(delta);
  }

  override flush(): void {
    const held = this.held;
    this.held = '';
    this.emit(held);
  }

  private findStop(text: string): number | undefined {
    let stop: { readonly start: number; readonly end: number } | undefined;
    for (const sequence of this.sequences) {
      const start = text.indexOf(sequence);
      const end = start + sequence.length;
      if (start >= 0 && (!stop || end < stop.end || (end === stop.end && start < stop.start))) {
        stop = { start, end };
      }
    }
    return stop?.start;
  }

  private emit(text: string): void {
    if (text !== '') {
      this.next.text(text);
    }
  }
}
