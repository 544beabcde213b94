import { type DeltaSink, Stage } from './stage.js';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Where in the answer we are; `body` passes everything. */
type State = 'start' | 'reasoning' | 'afterReasoning' | 'body';

/**
 * Turns a leading `<think>…</think>` block into reasoning. Only a block at the very start of the answer counts:
 * later tags are the model's words. Once the upstream reports reasoning in a field of its own, tags are text.
 * Holds back at most a partial tag (and white space around the block). With `thinking` off reasoning is dropped.
 */
export class ReasoningSplitterStage extends Stage {
  private state: State = 'start';
  private held = '';

  constructor(
    next: DeltaSink,
    private readonly thinking: boolean,
  ) {
    super(next);
  }

  override reasoning(text: string): void {
    if (this.state === 'start') {
      this.state = 'body';
      this.release();
    }
    this.emitReasoning(text);
  }

  override text(text: string): void {
    if (this.state === 'body') {
      this.next.text(text);
      return;
    }
    // Bounded: what is held is white space or less than a tag, so nothing is scanned twice.
    let rest = this.held + text;
    this.held = '';
    if (this.state === 'start') {
      rest = this.open(rest);
    }
    if (this.state === 'reasoning') {
      rest = this.close(rest);
    }
    if (this.state === 'afterReasoning') {
      rest = rest.trimStart();
      if (rest !== '') {
        this.state = 'body';
      }
    }
    if (this.state === 'body' && rest !== '') {
      this.next.text(rest);
    }
  }

  override flush(): void {
    if (this.state === 'reasoning') {
      this.emitReasoning(this.held);
      this.held = '';
    } else {
      this.release();
    }
  }

  /** Looks for the opening tag; returns what follows it, or what is not held back. */
  private open(text: string): string {
    const start = text.trimStart();
    if (start.startsWith(OPEN)) {
      this.state = 'reasoning';
      return start.slice(OPEN.length).replace(/^\r?\n/, '');
    }
    if (OPEN.startsWith(start)) {
      this.held = text;
      return '';
    }
    this.state = 'body';
    return text;
  }

  /** Hands on reasoning up to the closing tag; returns what follows it. */
  private close(text: string): string {
    const at = text.indexOf(CLOSE);
    if (at >= 0) {
      this.emitReasoning(text.slice(0, at));
      this.state = 'afterReasoning';
      return text.slice(at + CLOSE.length);
    }
    const keep = partialSuffixLength(text, CLOSE);
    this.emitReasoning(text.slice(0, text.length - keep));
    this.held = text.slice(text.length - keep);
    return '';
  }

  private emitReasoning(text: string): void {
    if (this.thinking && text !== '') {
      this.next.reasoning(text);
    }
  }

  private release(): void {
    if (this.held !== '') {
      this.next.text(this.held);
      this.held = '';
    }
  }
}

/** Length of the longest end of `text` that could be the beginning of `marker`, the whole marker excluded. */
export function partialSuffixLength(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) {
      return length;
    }
  }
  return 0;
}
