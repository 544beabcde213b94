import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { Stage } from './stage.js';

/**
 * Keeps characters whole: sites that type their answers cut emoji in half, and parsers in other languages than
 * ours refuse a piece that holds half a surrogate pair. A half at the end of a piece waits for its other half; one
 * that has none becomes U+FFFD. Empty pieces go no further.
 */
export class WholeCharactersStage extends Stage {
  private readonly reasoningPairs = new PairJoiner();
  private readonly textPairs = new PairJoiner();
  private readonly refusalPairs = new PairJoiner();
  private readonly argumentPairs = new PairJoiner();

  override reasoning(text: string): void {
    const whole = this.reasoningPairs.join(text);
    if (whole !== '') {
      this.next.reasoning(whole);
    }
  }

  override text(text: string): void {
    const whole = this.textPairs.join(text);
    if (whole !== '') {
      this.next.text(whole);
    }
  }

  override refusal(text: string): void {
    const whole = this.refusalPairs.join(text);
    if (whole !== '') {
      this.next.refusal(whole);
    }
  }

  override toolCall(delta: ToolCallDelta): void {
    const whole = this.argumentPairs.join(delta.arguments);
    if (whole !== '' || delta.id !== undefined || delta.name !== undefined) {
      this.next.toolCall(whole === delta.arguments ? delta : { ...delta, arguments: whole });
    }
  }

  override flush(): void {
    if (this.reasoningPairs.isWaiting) {
      this.next.reasoning(REPLACEMENT);
    }
    if (this.textPairs.isWaiting) {
      this.next.text(REPLACEMENT);
    }
    if (this.refusalPairs.isWaiting) {
      this.next.refusal(REPLACEMENT);
    }
  }
}

const REPLACEMENT = '\uFFFD';
const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

class PairJoiner {
  private half = '';

  get isWaiting(): boolean {
    return this.half !== '';
  }

  /** The text of a piece that is complete, the half before it included. */
  join(piece: string): string {
    if (this.half === '' && piece.isWellFormed()) {
      return piece;
    }
    const text = this.half + piece;
    this.half = HIGH_SURROGATE_AT_END.exec(text)?.[0] ?? '';
    return text.slice(0, text.length - this.half.length).toWellFormed();
  }
}
