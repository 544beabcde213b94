/** Pieces that were taken from the front after which the rest is moved there. */
const COMPACT_AT = 256;

/** Characters of the longest piece that is not split. */
const SHORT = 16;

/**
 * Text that waits, in the pieces in which it came. One string that grows at its end and is cut at its beginning would be
 * copied for every piece.
 */
export class HeldText {
  /** Characters that wait. */
  length = 0;
  private pieces: string[] = [];
  private first = 0;

  /** All of it. */
  get text(): string {
    return this.pieces.slice(this.first).join('');
  }

  add(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /**
   * Takes characters from the front, at most `count`. A short piece is taken whole or not at all, so that small pieces go
   * on as they came; a surrogate pair within a piece stays together.
   */
  take(count: number): string {
    let taken = '';
    let piece = this.pieces[this.first];
    while (piece !== undefined && taken.length + piece.length <= count) {
      taken += piece;
      piece = this.pieces[++this.first];
    }
    if (piece !== undefined && piece.length > SHORT) {
      const cut = cutBefore(piece, count - taken.length);
      taken += piece.slice(0, cut);
      this.pieces[this.first] = piece.slice(cut);
    }
    this.length -= taken.length;
    if (this.first >= COMPACT_AT) {
      this.pieces = this.pieces.slice(this.first);
      this.first = 0;
    }
    return taken;
  }

  clear(): void {
    this.pieces = [];
    this.first = 0;
    this.length = 0;
  }
}

function cutBefore(piece: string, count: number): number {
  const isWithinPair = count > 0 && (piece.charCodeAt(count - 1) & 0xfc00) === 0xd800;
  return isWithinPair ? count - 1 : count;
}
