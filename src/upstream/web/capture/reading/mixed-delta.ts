import { type TextDelta } from '../../../decoding/snapshot-delta.js';
import { UnavailableError } from '../../../upstream.errors.js';

/**
 * For sites that add to a text in some records and replace it in others. Passes on what is new. Text that was passed on
 * cannot be taken back, so that one which is changed later ends the answer: throws UnavailableError (`garbled_answer`).
 */
export class MixedDelta {
  private whole = '';
  private passedOn = 0;

  /** A view of the text for rules that add to it. */
  readonly append: TextDelta = {
    push: (text) => {
      this.whole += text;
      return this.rest();
    },
    end: () => this.end(),
  };

  /** A view of the text for rules that hold all of it. */
  readonly snapshot: TextDelta = {
    push: (text) => {
      if (!text.startsWith(this.whole.slice(0, this.passedOn))) {
        throw new UnavailableError('garbled_answer', 'The site changed a text that was passed on already.');
      }
      this.whole = text;
      return this.rest();
    },
    end: () => this.end(),
  };

  private rest(): string {
    const end = this.whole.length - (endsWithHalfCharacter(this.whole) ? 1 : 0);
    return this.passOn(end);
  }

  private end(): string {
    return this.passOn(this.whole.length);
  }

  private passOn(end: number): string {
    const text = this.whole.slice(this.passedOn, end);
    this.passedOn = Math.max(this.passedOn, end);
    return text;
  }
}

/** Whether a text ends with the first half of a surrogate pair, whose other half the next record may bring. */
function endsWithHalfCharacter(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff;
}
