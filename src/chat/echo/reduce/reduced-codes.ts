import { FOLDED, isPairKept, KEPT, KINDS, SPACE, TAB } from './characters.js';
import { HEX_ESCAPE } from './unescaper.js';

/** Bits of the place of a character: it is the first of its line; it stands between fences; its line is indented. */
export const LINE_START = 1;
export const IN_FENCE = 2;
export const INDENTED = 4;

/** Blanks from which on a line is indented; a sign of quotation has one behind it. */
const INDENT = 2;

/** Output of a reducer, piece by piece: the first `count` entries of three arrays. */
export abstract class ReducedCodes {
  readonly codes: Uint16Array;
  /** Offset of each character in the whole text. */
  readonly offsets: Int32Array;
  /** `LINE_START`, with `INDENTED` if so, and `IN_FENCE` for each character. */
  readonly places: Uint8Array;
  count = 0;
  /** Length of the longest line so far in reduced characters. */
  longestLine = 0;
  /** Characters of the pieces before, and the position at which the current line began. */
  protected given = 0;
  protected lineBegan = 0;
  /** Blanks before the current line's text. */
  private blanks = 0;
  /** Bits of the first character of the current line. */
  private lineStart = LINE_START;
  /** `IN_FENCE` or 0. */
  private fence = 0;
  /** First half of a surrogate pair, and its offset. */
  private high = 0;
  private highAt = 0;

  /** @param size largest number of characters in a piece */
  protected constructor(size: number) {
    this.codes = new Uint16Array(size);
    this.offsets = new Int32Array(size);
    this.places = new Uint8Array(size);
  }

  protected emit(code: number, at: number): void {
    this.codes[this.count] = FOLDED[code] as number;
    const start = this.given + this.count === this.lineBegan ? this.lineStart : 0;
    this.places[this.count] = start | this.fence;
    this.offsets[this.count++] = at;
  }

  /** Takes the line of a fence: one with a language opens, another one opens or closes. */
  protected passFence(hasLanguage: boolean): void {
    this.fence = hasLanguage ? IN_FENCE : this.fence ^ IN_FENCE;
  }

  /** Takes a character before the text of a line. */
  protected indent(code: number): void {
    this.blanks += code === TAB ? INDENT : Number(code === SPACE);
    if (this.blanks >= INDENT) {
      this.lineStart = LINE_START | INDENTED;
    }
  }

  protected endLine(): void {
    const length = this.given + this.count;
    this.longestLine = Math.max(this.longestLine, length - this.lineBegan);
    this.lineBegan = length;
    this.blanks = 0;
    this.lineStart = LINE_START;
  }

  /**
   * Takes characters within a line for as long as none of them needs more than a look at its kind: nearly all of a text.
   * @returns the index of the first other character; `end` if there is none
   */
  protected skipMiddle(text: string, start: number, end: number, shift: number): number {
    const { codes, offsets, places, fence, lineStart } = this;
    const first = this.lineBegan - this.given;
    let { count } = this;
    let i = start;
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      const kind = KINDS[code] as number;
      if (kind > KEPT) {
        break;
      }
      // Without a branch, which would be guessed wrong at each blank; the next character overwrites a dropped one.
      codes[count] = FOLDED[code] as number;
      places[count] = (count === first ? lineStart : 0) | fence;
      offsets[count] = i + shift;
      count += kind;
    }
    this.count = count;
    return i;
  }

  protected keepHigh(code: number, at: number): void {
    this.high = code;
    this.highAt = at;
  }

  /** @returns whether the two halves are a letter or a digit */
  protected emitPair(low: number, at: number): boolean {
    const { high, highAt } = this;
    this.high = 0;
    const isPair = high !== 0 && (at - highAt === 1 || at - highAt === HEX_ESCAPE);
    const isKept = isPair && isPairKept(high, low);
    if (isKept) {
      this.emit(high, highAt);
      this.emit(low, at);
    }
    return isKept;
  }
}
