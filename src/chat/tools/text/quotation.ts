import { type Input, type Parsing } from './input.js';
import { type LeadIn } from './lead-in.js';
import { peekText } from './scan.js';
import { type Tag } from './tags.js';

const QUOTE = /["'“”«»]$/u;

/** Tells the tags of a call that is quoted: `The model wrote "<tool_call>…</tool_call>".` */
export class Quotation {
  /** The word of the tag that opened the quoted call, which is not closed yet. */
  private word: string | undefined;

  constructor(
    private readonly input: Input,
    private readonly leadIn: LeadIn,
  ) {}

  /** Whether a tag at the cursor is quoted. A further one of the same word is not, should the first be a mere mention. */
  *covers({ word, isClosing, length }: Tag): Parsing<boolean> {
    if (this.leadIn.isQuoting) {
      const isMention = QUOTE.test((yield* peekText(this.input, length + 1)).slice(length));
      this.word = isClosing || isMention ? undefined : word;
      return true;
    }
    const isCovered = this.word !== undefined && (isClosing || word !== this.word);
    if (word === this.word) {
      this.word = undefined;
    }
    return isCovered;
  }
}
