import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { partialSuffixLength } from './partial-suffix.js';
import { type DeltaSink, Stage } from './stage.js';

/** A sequence in a text, from the index of its first character to that behind its last. */
interface Stop {
  readonly sequence: string;
  readonly start: number;
  readonly end: number;
}

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
    private readonly onStop: (sequence: string) => void,
  ) {
    super(next);
  }

  override text(text: string): void {
    const window = this.held + text;
    this.held = '';
    const stop = this.findStop(window);
    if (stop !== undefined) {
      this.emit(window.slice(0, stop.start));
      this.onStop(stop.sequence);
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

  private findStop(text: string): Stop | undefined {
    let stop: Stop | undefined;
    for (const sequence of this.sequences) {
      const start = text.indexOf(sequence);
      const end = start + sequence.length;
      if (start >= 0 && (!stop || end < stop.end || (end === stop.end && start < stop.start))) {
        stop = { sequence, start, end };
      }
    }
    return stop;
  }

  private emit(text: string): void {
    if (text !== '') {
      this.next.text(text);
    }
  }
}
