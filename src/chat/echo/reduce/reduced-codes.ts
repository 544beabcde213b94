import { FOLDED } from './characters.js';

/** Output of a reducer, piece by piece: the first `count` entries of three arrays. */
export abstract class ReducedCodes {
  readonly codes: Uint16Array;
  /** Offset of each character in the whole text. */
  readonly offsets: Int32Array;
  /** 1 for each character that is the first of its line. */
  readonly firsts: Uint8Array;
  count = 0;
  /** Length of the longest line so far in reduced characters. */
  longestLine = 0;
  /** Characters of the pieces before, and the position at which the current line began. */
  protected given = 0;
  protected lineBegan = 0;

  /** @param size largest number of characters in a piece */
  protected constructor(size: number) {
    this.codes = new Uint16Array(size);
    this.offsets = new Int32Array(size);
    this.firsts = new Uint8Array(size);
  }

  protected emit(code: number, at: number): void {
    this.codes[this.count] = FOLDED[code] as number;
    this.firsts[this.count] = this.given + this.count === this.lineBegan ? 1 : 0;
    this.offsets[this.count++] = at;
  }

  protected endLine(): void {
    const length = this.given + this.count;
    this.longestLine = Math.max(this.longestLine, length - this.lineBegan);
    this.lineBegan = length;
  }
}
