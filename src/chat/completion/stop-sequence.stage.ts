import { partialSuffixLength } from './reasoning-splitter.stage.js';
import { type DeltaSink, type EndAnswer, Stage } from './stage.js';

/**
 * Ends the answer before the first stop sequence, which upstreams reached through a chat box cannot do themselves.
 * Reasoning is not searched. Holds back at most the longest sequence less one character.
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
    let first = -1;
    let keep = 0;
    for (const sequence of this.sequences) {
      const at = window.indexOf(sequence);
      if (at >= 0 && (first < 0 || at < first)) {
        first = at;
      }
      keep = Math.max(keep, partialSuffixLength(window, sequence));
    }
    this.held = '';
    if (first >= 0) {
      this.emit(window.slice(0, first));
      this.end('stop');
      return;
    }
    this.held = window.slice(window.length - keep);
    this.emit(window.slice(0, window.length - keep));
  }

  override flush(): void {
    const held = this.held;
    this.held = '';
    this.emit(held);
  }

  private emit(text: string): void {
    if (text !== '') {
      this.next.text(text);
    }
  }
}
