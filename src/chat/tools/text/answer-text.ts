import { GrowingText } from '../../completion/stages/growing-text.js';
import { isWhitespace } from './input.js';

/**
 * The answer's text between and around calls. Text without a call is let through as it is. White space next to calls
 * belongs to the markup: of it, only what stands between two texts is kept, the first of it, so that
 * their words do not run together. So white space waits until it is known what follows.
 *
 * With `isHeld` nothing is let through until `release` or the first call.
 */
export class AnswerText {
  /** Whether text has been let through. */
  hasPassed = false;
  /** Nothing but white space has come since the last call. */
  isAfterCall = false;
  private hasText = false;
  private space = '';
  /** What is to be let through with the rest of its piece. */
  private ready = '';
  /** White space before the calls that came last. */
  private gap = '';
  private readonly held = new GrowingText();

  /** @param pass gets what is let through; never empty */
  constructor(
    private readonly pass: (text: string) => void,
    private isHeld: boolean,
  ) {}

  write(text: string): void {
    let end = text.length;
    while (end > 0 && isWhitespace(text.charCodeAt(end - 1))) {
      end--;
    }
    if (end === 0) {
      this.space += text;
      return;
    }
    const body = this.isAfterCall ? this.textAfterCall(text.slice(0, end)) : this.space + text.slice(0, end);
    this.space = text.slice(end);
    this.isAfterCall = false;
    this.hasText = true;
    this.emit(body);
  }

  /** A call begins here. */
  beginCall(): void {
    this.release();
    this.flush();
    if (!this.isAfterCall) {
      this.gap = '';
      this.isAfterCall = true;
    }
    this.gap ||= this.space;
    this.space = '';
  }

  /** White space between a call and markup that closes it. */
  dropSpaceAfterCall(): void {
    if (this.isAfterCall) {
      this.space = '';
    }
  }

  /** What was held is let through; nothing is held any more. */
  release(): void {
    if (this.isHeld) {
      this.isHeld = false;
      this.emit(this.held.text);
      this.held.text = '';
    }
  }

  /** Lets through what is ready; once for each piece of the answer, however many passages it has. */
  flush(): void {
    if (this.ready !== '') {
      const text = this.ready;
      this.ready = '';
      this.pass(text);
    }
  }

  /** The text so far that was not let through. */
  get heldText(): string {
    return this.held.text;
  }

  /** Nothing follows. */
  end(): void {
    if (!this.isAfterCall) {
      this.emit(this.space);
    }
    this.space = '';
    this.flush();
  }

  private textAfterCall(text: string): string {
    let start = 0;
    while (isWhitespace(text.charCodeAt(start))) {
      start++;
    }
    const space = this.hasText ? this.gap || this.space + text.slice(0, start) : '';
    return space + text.slice(start);
  }

  private emit(text: string): void {
    if (text === '') {
      return;
    }
    if (this.isHeld) {
      this.held.add(text);
    } else {
      this.hasPassed = true;
      this.ready += text;
    }
  }
}
