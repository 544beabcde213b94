import { commonLength } from '../../../decoding/surrogate-pairs.js';
import { UnavailableError } from '../../../upstream.errors.js';

/**
 * The text of an answer that is read off a page. Pages replace what they show: a cursor at its end, a note that the
 * model thinks, a block that is painted anew. So only what two different looks have in common is passed on, and a text
 * that differs from what was passed on is read again; if it still does at the end, the answer fails. Where pages paint
 * large parts anew, nothing is passed on before the end.
 */
export class SettledText {
  private last = '';
  private passedOn = '';

  constructor(private readonly isStreamed: boolean) {}

  /** The part of a look that has settled and was not passed on yet, possibly empty. */
  look(text: string): string {
    if (text === this.last) {
      return '';
    }
    const length = commonLength(this.last, text);
    this.last = text;
    return this.isStreamed ? this.passOn(text.slice(0, length)) : '';
  }

  /** The rest of the last look. Throws UnavailableError (`garbled_answer`) if it is not what was passed on. */
  end(): string {
    if (!this.last.startsWith(this.passedOn)) {
      throw new UnavailableError(
        'garbled_answer',
        'The page changed text that was already passed on: does it need `"stream": false` in `capture`?',
      );
    }
    return this.passOn(this.last);
  }

  private passOn(text: string): string {
    if (!text.startsWith(this.passedOn)) {
      return '';
    }
    const added = text.slice(this.passedOn.length);
    this.passedOn = text;
    return added;
  }
}
