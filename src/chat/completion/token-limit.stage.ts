import { type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type DeltaSink, type EndAnswer, Stage } from './stage.js';
import { type Tokenizer } from './tokenizer.js';

/**
 * Cuts the answer at `maxTokens`, reasoning included, as the format counts it. Costs next to nothing per piece:
 * a token is at least one byte, so nothing is tokenized before the bytes since the last count could exceed what
 * is left; each count then frees about three quarters of what it looked at, so the number of counts is logarithmic.
 */
export class TokenLimitStage extends Stage {
  private left: number;
  private uncounted = '';
  private uncountedBytes = 0;

  constructor(
    next: DeltaSink,
    maxTokens: number,
    private readonly tokenizer: Tokenizer,
    private readonly end: EndAnswer,
  ) {
    super(next);
    this.left = maxTokens;
  }

  override reasoning(text: string): void {
    const allowed = this.take(text);
    if (allowed !== '') {
      this.next.reasoning(allowed);
    }
    this.endIfCut(text, allowed);
  }

  override text(text: string): void {
    const allowed = this.take(text);
    if (allowed !== '') {
      this.next.text(allowed);
    }
    this.endIfCut(text, allowed);
  }

  override toolCall(delta: ToolCallDelta): void {
    const allowed = this.take(delta.arguments);
    if (allowed === delta.arguments) {
      this.next.toolCall(delta);
    }
    this.endIfCut(delta.arguments, allowed);
  }

  /** The part of `text` that is within the limit. */
  private take(text: string): string {
    this.uncounted += text;
    this.uncountedBytes += Buffer.byteLength(text);
    if (this.uncountedBytes <= this.left) {
      return text;
    }
    const tokens = this.tokenizer.encode(this.uncounted);
    const before = this.uncounted.length - text.length;
    if (tokens.length <= this.left) {
      this.left -= tokens.length;
      this.uncounted = '';
      this.uncountedBytes = 0;
      return text;
    }
    // A cut inside a character decodes to U+FFFD at the end; such a half is not shown.
    const kept = this.tokenizer.decode(tokens.slice(0, this.left)).replace(/\uFFFD+$/, '');
    this.left = 0;
    return kept.slice(before);
  }

  private endIfCut(text: string, allowed: string): void {
    if (allowed.length < text.length) {
      this.end('length');
    }
  }
}
