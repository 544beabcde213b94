/** A line that is built piece by piece, without reading or copying the pieces before. */
export class LineText {
  private pieces: string[] = [];

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Whether the line has text and does not end with white space, so that a blank may follow. */
  get isOpen(): boolean {
    const last = this.pieces.at(-1);
    return last !== undefined && !/\s/.test(last.charAt(last.length - 1));
  }

  get first(): string | undefined {
    return this.pieces[0];
  }

  isOnly(piece: string): boolean {
    return this.pieces.length === 1 && this.pieces[0] === piece;
  }

  add(piece: string): void {
    if (piece !== '') {
      this.pieces.push(piece);
    }
  }

  /** Position for `takeFrom`: the end of the line so far. */
  mark(): number {
    return this.pieces.length;
  }

  /** Removes and returns the text behind a position; the whole line from 0. */
  takeFrom(mark: number): string {
    return this.pieces.splice(mark).join('');
  }
}
