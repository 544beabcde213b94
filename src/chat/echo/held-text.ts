/** Pieces that were taken from the front after which the rest is moved there. */
const COMPACT_AT = 256;

/**
 * Text that waits, in the pieces in which it came. One string that grows at its end and is cut at its beginning would be
 * copied for every piece.
 */
export class HeldText {
  /** Characters that wait. */
  length = 0;
  private pieces: string[] = [];
  private first = 0;

  add(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Takes characters from the front. @param count at least 1, at most `length` */
  take(count: number): string {
    let taken = '';
    let missing = count;
    while (missing > 0) {
      const piece = this.pieces[this.first] ?? '';
      if (piece.length > missing) {
        taken += piece.slice(0, missing);
        this.pieces[this.first] = piece.slice(missing);
        missing = 0;
      } else {
        taken += piece;
        missing -= piece.length;
        this.first++;
      }
    }
    this.length -= count;
    if (this.first >= COMPACT_AT) {
      this.pieces = this.pieces.slice(this.first);
      this.first = 0;
    }
    return taken;
  }

  /** UTF-16 code of a character. @param at from 0, below `length` */
  codeAt(at: number): number {
    let index = this.first;
    let rest = at;
    for (; rest >= (this.pieces[index] ?? '').length; index++) {
      rest -= (this.pieces[index] ?? '').length;
    }
    return (this.pieces[index] ?? '').charCodeAt(rest);
  }

  clear(): void {
    this.pieces = [];
    this.first = 0;
    this.length = 0;
  }
}
