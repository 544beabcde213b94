import { GrowingText } from '../../completion/stages/growing-text.js';
import { isWhitespace } from './scan.js';

/**
 * The answer's text between and around tool calls. Text without a call passes unchanged. White space next to a call
 * belongs to its markup: between two texts only the white space before the first call is kept, so that their words
 * do not run together. Trailing white space therefore waits until it is known what follows it.
 *
 * Text that is held waits until `release` or the first call.
 */
export class AnswerText {
  /** Whether any text was passed on. */
  hasPassed = false;
  /** Whether nothing but white space has come since the last call. */
  isAfterCall = false;
  private hasText = false;

  /** White space that waits for the text behind it. */
  private space = '';
  /** Text to be passed on at the next `flush`. */
  private ready = '';
  /** White space before the latest group of calls. */
  private gap = '';
  private readonly held = new GrowingText();

  /** @param pass receives the text in pieces; never an empty one */
  constructor(
    private readonly pass: (text: string) => void,
    public isHeld: boolean,
  ) {}

  /** Whether the answer has held nothing but white space so far. */
  get isBlank(): boolean {
    return !this.hasText && !this.isAfterCall;
  }

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

  /** Ends the text in front of a call, held text included. */
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

  /** Drops the white space between a call and the markup that closes it. */
  dropSpaceAfterCall(): void {
    if (this.isAfterCall) {
      this.space = '';
    }
  }

  /** Holds the answer from here on, if it is to and has had nothing yet. */
  holdFromStart(isToHold: boolean): void {
    this.isHeld ||= isToHold && this.isBlank;
  }

  /** Passes the held text on, and holds nothing any more. */
  release(): void {
    if (this.isHeld) {
      this.isHeld = false;
      this.emit(this.held.text);
      this.held.text = '';
    }
  }

  /** Passes the ready text on: once for each piece of the answer, however many passages that piece has. */
  flush(): void {
    if (this.ready !== '') {
      const text = this.ready;
      this.ready = '';
      this.pass(text);
    }
  }

  /** The text so far that is held back. */
  get heldText(): string {
    return this.held.text;
  }

  /** Ends the answer, or its part before a refusal: trailing white space passes unless it stands behind a call. */
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
