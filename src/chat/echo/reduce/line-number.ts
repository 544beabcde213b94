/** Most digits of a line number. */
export const MAX_DIGITS = 7;

/** Word that may stand before a line number, whole or as its first letter: `Line 12:`, `L12:`. */
const WORD = 'line';
export const MAX_WORD = WORD.length;

/** A number at the beginning of a line that may turn out to be a line number. */
export class LineNumber {
  /** Its digits as code units, of which the first `length` count. */
  readonly digits = new Uint16Array(MAX_DIGITS);
  length = 0;
  /** Offset of its first digit in the text. */
  at = 0;
  /** Letters before it as code units, of which the first `wordLength` count. */
  readonly word = new Uint16Array(MAX_WORD);
  wordLength = 0;
  wordAt = 0;
  private value = 0;
  /** First number of the last line that began with one, and whether the current line did. */
  private last = 0;
  private isNumbered = false;

  get isFull(): boolean {
    return this.length === MAX_DIGITS;
  }

  /** Whether it is one more than the number of the last numbered line. */
  get isNext(): boolean {
    return this.length > 0 && this.value === this.last + 1;
  }

  begin(code: number, at: number): void {
    this.at = at;
    this.add(code);
  }

  add(code: number): void {
    this.value = this.value * 10 + code - 0x30;
    this.digits[this.length++] = code;
  }

  /**
   * Takes the next letter before it.
   * @returns whether the letter can be part of the word
   */
  addLetter(code: number, at: number): boolean {
    // Capitals and small letters differ in one bit.
    const isNext = this.wordLength < MAX_WORD && (code | 0x20) === WORD.charCodeAt(this.wordLength);
    if (isNext) {
      this.wordAt = this.wordLength === 0 ? at : this.wordAt;
      this.word[this.wordLength++] = code;
    }
    return isNext;
  }

  /** Whether the letters so far are the word or its first letter. */
  get isIntroduced(): boolean {
    return this.wordLength === 1 || this.wordLength === MAX_WORD;
  }

  /** Clears it, once it is known to be a line number or not. */
  forget(): void {
    if (this.length > 0 && !this.isNumbered) {
      this.isNumbered = true;
      this.last = this.value;
    }
    this.value = 0;
    this.length = 0;
    this.wordLength = 0;
  }

  endLine(): void {
    this.isNumbered = false;
  }
}
