import { type Input, type Parsing } from './input.js';
import { type MarkedForm } from './marked-form.js';
import { type PassingText } from './passing-text.js';
import { peekText } from './scan.js';
import { type Tag } from './tags.js';

/** What stands behind a tag that is only mentioned: a closing quotation mark, or the sentence goes on. */
const BEHIND_MENTION = /["'“”«».,;:)]$/u;

/** Tells the tags of a call that is quoted or an example: `The model wrote "<tool_call>…</tool_call>".` */
export class Quotation {
  /** The word of the tag that opened the quoted call, which is not closed yet. */
  private word: string | undefined;
  /** Number of the latest line with an example; 0 if there is none. */
  private line = 0;

  constructor(
    private readonly input: Input,
    private readonly plain: PassingText,
  ) {}

  /** Whether a tag at the cursor is quoted. A further one of the same word is not, should the first be a mere mention. */
  *covers({ word, isClosing, length }: Tag): Parsing<boolean> {
    if (this.plain.leadIn.isQuoting || this.isExample()) {
      const isMention = BEHIND_MENTION.test((yield* peekText(this.input, length + 1)).slice(length));
      this.word = isClosing || isMention ? undefined : word;
      return true;
    }
    const isCovered = this.word !== undefined && (isClosing || word !== this.word);
    if (word === this.word) {
      this.word = undefined;
    }
    return isCovered;
  }

  /** Whether a marker at the cursor announces no call: it is part of a sentence, or begins an example. */
  isMention({ isLine = false }: MarkedForm, isAfterCall: boolean): boolean {
    return (isLine && !isAfterCall && !this.plain.line.isBlank) || this.isExample();
  }

  /** Whether an example begins at the cursor. What stands behind it on the same line is another one. */
  isExample(): boolean {
    const { line, leadIn } = this.plain;
    if (line.isTableRow || leadIn.introducesExample) {
      this.line = line.number;
    }
    return this.line === line.number;
  }
}
