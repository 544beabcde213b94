/** Pieces that are joined at a time. */
const JOIN_AT = 512;

/**
 * Text that grows piece by piece. A string that is appended to keeps 32 bytes for each piece until it is read, six
 * times the size of a word: 64 KiB of answer would hold 450. Pieces that are joined 512 at a time hold a few bytes
 * beside their text, and take a fifth less time.
 */
export class GrowingText {
  /** UTF-16 units. */
  length = 0;
  private joined = '';
  private pieces: string[] = [];

  get text(): string {
    this.join();
    return this.joined;
  }

  set text(text: string) {
    this.joined = text;
    this.pieces = [];
    this.length = text.length;
  }

  add(piece: string): void {
    this.length += piece.length;
    if (this.pieces.push(piece) >= JOIN_AT) {
      this.join();
    }
  }

  private join(): void {
    if (this.pieces.length > 0) {
      this.joined += this.pieces.join('');
      this.pieces = [];
    }
  }
}
