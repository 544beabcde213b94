/** More digits than this at the beginning of a line are no line number. */
export const MAX_DIGITS = 7;

/** The word that may stand in front of a line number, whole or as its first letter: `Line 12:`, `L12:`. */
const WORD = 'line';
export const MAX_WORD = WORD.length;

/** A number at the beginning of a line, of which it is open what it is. */
export class LineNumber {
  /** The first `length` are its digits, as code units. */
  readonly digits = new Uint16Array(MAX_DIGITS);
  length = 0;
  /** Where in the text it stands. */
  at = 0;
  /** The first `wordLength` are the letters in front of it. */
  readonly word = new Uint16Array(MAX_WORD);
  wordLength = 0;
  wordAt = 0;
  private value = 0;
  /** The first number of the last line that began with one, and whether this line did. */
  private last = 0;
  private isNumbered = false;

  get isFull(): boolean {
    return this.length === MAX_DIGITS;
  }

  /** Whether it goes on counting from line to line. */
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

  /** Takes the next letter in front of it. @returns whether it may be one */
  addLetter(code: number, at: number): boolean {
    // Capitals differ from small letters in one bit.
    const isNext = this.wordLength < MAX_WORD && (code | 0x20) === WORD.charCodeAt(this.wordLength);
    if (isNext) {
      this.wordAt = this.wordLength === 0 ? at : this.wordAt;
      this.word[this.wordLength++] = code;
    }
    return isNext;
  }

  /** Whether the letters so far are the word, or what stands for it. */
  get isIntroduced(): boolean {
    return this.wordLength === 1 || this.wordLength === MAX_WORD;
  }

  /** It is known what it was. */
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
