/** The characters that are left of a text, piece by piece: `count` of them at a time. */
export abstract class ReducedCodes {
  readonly codes: Uint16Array;
  /** Where in the whole text each of them came from. */
  readonly offsets: Int32Array;
  /** Whether each of them is the first of its line. */
  readonly firsts: Uint8Array;
  count = 0;
  /** Length of the longest line so far, reduced. */
  longestLine = 0;
  /** Characters of the pieces before, and where the present line began. */
  protected given = 0;
  protected lineBegan = 0;

  /** @param size most characters of a piece */
  protected constructor(size: number) {
    this.codes = new Uint16Array(size);
    this.offsets = new Int32Array(size);
    this.firsts = new Uint8Array(size);
  }

  protected emit(code: number, at: number): void {
    this.codes[this.count] = code;
    this.firsts[this.count] = this.given + this.count === this.lineBegan ? 1 : 0;
    this.offsets[this.count++] = at;
  }

  protected endLine(): void {
    const length = this.given + this.count;
    this.longestLine = Math.max(this.longestLine, length - this.lineBegan);
    this.lineBegan = length;
  }
}
