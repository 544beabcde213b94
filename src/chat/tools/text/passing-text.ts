import { type AnswerText } from './answer-text.js';
import { type Input } from './input.js';
import { LeadIn } from './lead-in.js';
import { LineStart } from './line-start.js';

/** The text of an answer on its way from the input to the caller, and what its latest words are. */
export class PassingText {
  /** Whether the rest of the answer is ignored. */
  isOver = false;
  readonly line = new LineStart();
  readonly leadIn = new LeadIn();

  constructor(
    private readonly input: Input,
    private readonly text: AnswerText,
  ) {}

  pass(text: string): void {
    if (text !== '' && !this.isOver) {
      this.line.advance(text);
      this.leadIn.advance(text);
      this.text.write(text);
    }
  }

  /** Passes the characters at the cursor. */
  passNext(length: number): void {
    const { input } = this;
    const start = input.at;
    input.at += length;
    this.pass(input.text.slice(start, input.at));
  }

  /** Passes what the input has kept, and keeps nothing any more. */
  passKept(): void {
    this.pass(this.input.takeKept());
    this.input.drop();
  }
}
