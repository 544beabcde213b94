import { type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { partialSuffixLength } from './partial-suffix.js';
import { type DeltaSink, Stage } from './stage.js';

const OPEN = '<think>';
const CLOSE = '</think>';

/** More white space than this at the start is the answer's own, so that what is held back is bounded. */
const MAX_LEADING_SPACE = 64;

/** Position in the answer; `body` passes everything. */
type State = 'start' | 'beforeReasoning' | 'reasoning' | 'afterReasoning' | 'body';

/**
 * Turns a leading `<think>…</think>` block into reasoning. Only a block at the very start of the answer counts:
 * later tags are the model's words. Once the upstream reports reasoning in a field of its own, tags are text.
 * White space just inside the opening tag and around the block is dropped. Holds back at most a partial tag and the
 * white space before it. With `thinking` off reasoning is dropped.
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
    this.leaveStart();
    this.emitReasoning(text);
  }

  override text(text: string): void {
    // What is held is bounded, so nothing is scanned twice.
    let rest = this.held + text;
    this.held = '';
    if (this.state === 'start') {
      rest = this.open(rest);
    }
    if (this.state === 'beforeReasoning') {
      rest = this.skipSpace(rest, 'reasoning');
    }
    if (this.state === 'reasoning') {
      rest = this.close(rest);
    }
    if (this.state === 'afterReasoning') {
      rest = this.skipSpace(rest, 'body');
    }
    if (this.state === 'body' && rest !== '') {
      this.next.text(rest);
    }
  }

  override refusal(text: string): void {
    this.leaveStart();
    this.next.refusal(text);
  }

  override toolCall(delta: ToolCallDelta): void {
    this.leaveStart();
    this.next.toolCall(delta);
  }

  override flush(): void {
    this.leaveStart();
    this.emitReasoning(this.held);
    this.held = '';
  }

  /** Something else than text came first: there will be no leading block, and what was held is text. */
  private leaveStart(): void {
    if (this.state === 'start') {
      this.state = 'body';
      if (this.held !== '') {
        this.next.text(this.held);
        this.held = '';
      }
    }
  }

  /** Looks for the opening tag; returns what follows it, or what is not held back. */
  private open(text: string): string {
    const start = text.trimStart();
    const isFarIn = text.length - start.length > MAX_LEADING_SPACE;
    if (!isFarIn && start.startsWith(OPEN)) {
      this.state = 'beforeReasoning';
      return start.slice(OPEN.length);
    }
    if (!isFarIn && OPEN.startsWith(start)) {
      this.held = text;
      return '';
    }
    this.state = 'body';
    return text;
  }

  private skipSpace(text: string, nextState: State): string {
    const rest = text.trimStart();
    if (rest !== '') {
      this.state = nextState;
    }
    return rest;
  }

  /** Hands on reasoning up to the closing tag; returns what follows it. */
  private close(text: string): string {
    const at = text.indexOf(CLOSE);
    if (at >= 0) {
      this.emitReasoning(text.slice(0, at));
      this.state = 'afterReasoning';
      return text.slice(at + CLOSE.length);
    }
    const end = text.length - partialSuffixLength(text, CLOSE);
    this.emitReasoning(text.slice(0, end));
    this.held = text.slice(end);
    return '';
  }

  private emitReasoning(text: string): void {
    if (this.thinking && text !== '') {
      this.next.reasoning(text);
    }
  }
}
