import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { lastTokenBoundary, MAX_RUN_CHARS } from '../tokens/token-boundary.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { GrowingText } from './growing-text.js';
import { type DeltaSink, type EndAnswer, Stage } from './stage.js';

/** Longest part of a piece that is tokenized at once, in characters, so that the rest of a giant one need not be. */
const MAX_PART_CHARS = 8192;

/**
 * Cuts the answer at `maxTokens`, reasoning included, as the format counts it. What is let through is the same
 * however the answer arrives in pieces: the first `maxTokens` tokens of each kind of text as a whole.
 *
 * Costs next to nothing per piece. A token is at least one byte, so nothing is tokenized before the bytes since the
 * last count exceed what is left; each count then frees about three quarters of what it looked at, so the number of
 * counts is logarithmic. Only then, close to the limit, the last word is held back until it is seen whole, since
 * half of it can be more tokens than all of it.
 */
export class TokenLimitStage extends Stage {
  private left: number;
  private kind: keyof DeltaSink = 'text';
  /** Text of one kind since the last count, and how many of its characters were let through. */
  private readonly uncounted = new GrowingText();
  private uncountedBytes = 0;
  private passed = 0;
  private isCut = false;

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
    this.take('reasoning', text);
  }

  override text(text: string): void {
    this.take('text', text);
  }

  override refusal(text: string): void {
    this.take('refusal', text);
  }

  /** A piece of a call goes whole or not at all, since nobody can use half a call; so none is held back. */
  override toolCall(delta: ToolCallDelta): void {
    const text = (delta.name ?? '') + delta.arguments;
    if (this.isGiant(text)) {
      partsOf(text).forEach((part) => this.takeCall(part));
    } else {
      this.takeCall(text);
    }
    if (this.uncountedBytes > this.left && this.tokenizer.countNow(this.uncounted.text) > this.left) {
      this.cut();
    }
    if (!this.isCut) {
      this.next.toolCall(delta);
    }
  }

  override flush(): void {
    // Nothing is held back while all of it is sure to fit.
    if (this.uncountedBytes > this.left) {
      this.count(this.uncounted.length);
    }
  }

  private take(kind: keyof DeltaSink, text: string): void {
    if (this.isGiant(text)) {
      partsOf(text).forEach((part) => this.takePart(kind, part));
    } else {
      this.takePart(kind, text);
    }
  }

  /** Whether counting the piece would take long, and it is not sure to fit. */
  private isGiant(text: string): boolean {
    return text.length > MAX_PART_CHARS && this.uncountedBytes + Buffer.byteLength(text) > this.left;
  }

  private takeCall(text: string): void {
    if (this.isCut) {
      return;
    }
    this.add('toolCall', text);
    this.passed = this.uncounted.length;
    if (this.uncountedBytes > this.left) {
      this.countWords();
    }
  }

  private takePart(kind: keyof DeltaSink, text: string): void {
    if (this.isCut) {
      return;
    }
    this.add(kind, text);
    if (this.uncountedBytes <= this.left) {
      // Nothing is held back, and handing on the piece itself spares a copy of all that is uncounted.
      this.passed = this.uncounted.length;
      this.emit(text);
      return;
    }
    this.countWords();
    if (this.uncountedBytes <= this.left) {
      this.pass(this.uncounted.length);
    }
  }

  private add(kind: keyof DeltaSink, text: string): void {
    if (kind !== this.kind) {
      this.count(this.uncounted.length);
      this.kind = kind;
    }
    this.uncounted.add(text);
    this.uncountedBytes += Buffer.byteLength(text);
  }

  /** Counts all but the last word, which may go on; a run that is no word is not waited for. */
  private countWords(): void {
    this.count(lastTokenBoundary(this.uncounted.text));
    if (this.uncountedBytes > this.left && this.uncounted.length > MAX_RUN_CHARS) {
      this.count(this.uncounted.length);
    }
  }

  /** Counts the first `end` characters of what is uncounted, and lets them through as far as the limit goes. */
  private count(end: number): void {
    const text = this.uncounted.text.slice(0, end);
    const tokens = this.tokenizer.countNow(text);
    if (tokens > this.left) {
      this.pass(this.tokenizer.prefix(text, this.left).length);
      this.cut();
      return;
    }
    this.pass(end);
    this.left -= tokens;
    this.passed -= end;
    this.uncounted.text = this.uncounted.text.slice(end);
    this.uncountedBytes = Buffer.byteLength(this.uncounted.text);
  }

  private pass(end: number): void {
    if (end > this.passed) {
      this.emit(this.uncounted.text.slice(this.passed, end));
      this.passed = end;
    }
  }

  private emit(text: string): void {
    if (this.kind === 'reasoning') {
      this.next.reasoning(text);
    } else if (this.kind === 'text') {
      this.next.text(text);
    } else if (this.kind === 'refusal') {
      this.next.refusal(text);
    }
  }

  private cut(): void {
    this.isCut = true;
    this.left = 0;
    this.uncounted.text = '';
    this.uncountedBytes = 0;
    this.passed = 0;
    this.end('length');
  }
}

/** The text in parts of up to 8,192 characters, none of which ends between two surrogates. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > MAX_PART_CHARS) {
    const end = start + MAX_PART_CHARS;
    const splitsPair = text.codePointAt(end - 1)! > 0xffff;
    parts.push(text.slice(start, splitsPair ? end - 1 : end));
    start = splitsPair ? end - 1 : end;
  }
  return [...parts, text.slice(start)];
}
