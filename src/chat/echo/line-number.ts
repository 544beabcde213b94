/** More digits than this at the beginning of a line are no line number. */
export const MAX_DIGITS = 7;

/** A number at the beginning of a line, of which it is open what it is. */
export class LineNumber {
  /** The first `length` are its digits, as code units. */
  readonly digits = new Uint16Array(MAX_DIGITS);
  length = 0;
  /** Where in the text it stands. */
  at = 0;
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

  /** It is known what it was. */
  forget(): void {
    if (this.length > 0 && !this.isNumbered) {
      this.isNumbered = true;
      this.last = this.value;
    }
    this.value = 0;
    this.length = 0;
  }

  endLine(): void {
    this.isNumbered = false;
  }
}
