import { type TextDelta } from '../../../decoding/snapshot-delta.js';
import { endsInHalfPair } from '../../../decoding/surrogate-pairs.js';
import { UnavailableError } from '../../../upstream.errors.js';

/**
 * For sites that add to a text in some records and replace it in others. Passes on what is new. Text that was passed on
 * cannot be taken back, so that one which is changed later ends the answer: throws UnavailableError (`garbled_answer`).
 */
export class MixedDelta {
  /** Grows by pieces that nothing looks into, so that an answer is not copied for each of them. */
  private whole = '';
  /** The end of the text that was not passed on: half a character at most. */
  private held = '';

  /** A view of the text for rules that add to it. */
  readonly append: TextDelta = {
    push: (text) => {
      this.whole += text;
      return this.passOn(this.held + text);
    },
    end: () => this.end(),
  };

  /** A view of the text for rules that hold all of it. */
  readonly snapshot: TextDelta = {
    push: (text) => {
      const passedOn = this.whole.length - this.held.length;
      if (!text.startsWith(this.whole.slice(0, passedOn))) {
        throw new UnavailableError('garbled_answer', 'The site changed text that was already passed on.');
      }
      this.whole = text;
      return this.passOn(text.slice(passedOn));
    },
    end: () => this.end(),
  };

  private passOn(fresh: string): string {
    // The next record may bring the other half.
    this.held = endsInHalfPair(fresh) ? fresh.slice(-1) : '';
    return this.held === '' ? fresh : fresh.slice(0, -1);
  }

  private end(): string {
    const { held } = this;
    this.held = '';
    return held;
  }
}
