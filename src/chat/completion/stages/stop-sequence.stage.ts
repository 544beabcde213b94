import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { SequenceMatcher } from './sequence-matcher.js';
import { type DeltaSink, Stage } from './stage.js';

/**
 * Ends the answer before the first stop sequence, which upstreams reached through a chat box cannot do themselves.
 * The sequence that is complete first counts, as where a model stops by itself; of two, the longer. Reasoning and
 * refusals are not searched. Holds back at most the longest sequence less one character.
 */
export class StopSequenceStage extends Stage {
  private held = '';
  private readonly matchers: readonly SequenceMatcher[];

  constructor(
    next: DeltaSink,
    sequences: readonly string[],
    private readonly onStop: (sequence: string) => void,
  ) {
    super(next);
    this.matchers = sequences.map((sequence) => new SequenceMatcher(sequence));
  }

  override text(text: string): void {
    const window = this.held + text;
    this.held = '';
    for (let at = 0; at < text.length; at++) {
      const sequence = this.completedBy(text.charCodeAt(at));
      if (sequence !== undefined) {
        this.emit(window.slice(0, window.length - text.length + at + 1 - sequence.length));
        this.onStop(sequence);
        return;
      }
    }
    let partial = 0;
    for (const { matched } of this.matchers) {
      partial = Math.max(partial, matched);
    }
    const sure = window.length - partial;
    this.held = window.slice(sure);
    this.emit(window.slice(0, sure));
  }

  override refusal(text: string): void {
    this.flush();
    this.next.refusal(text);
  }

  override toolCall(delta: ToolCallDelta): void {
    this.flush();
    this.next.toolCall(delta);
  }

  override flush(): void {
    const held = this.held;
    this.held = '';
    this.matchers.forEach((matcher) => matcher.reset());
    this.emit(held);
  }

  /** @returns the longest sequence that ends with this UTF-16 unit */
  private completedBy(code: number): string | undefined {
    let longest: string | undefined;
    for (const matcher of this.matchers) {
      if (matcher.add(code) && matcher.sequence.length > (longest?.length ?? 0)) {
        longest = matcher.sequence;
      }
    }
    return longest;
  }

  private emit(text: string): void {
    if (text !== '') {
      this.next.text(text);
    }
  }
}
