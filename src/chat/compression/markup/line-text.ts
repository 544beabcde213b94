/** A line that is put together piece by piece, without reading what it holds so far. */
export class LineText {
  private pieces: string[] = [];

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Whether a blank may follow: there is something, and it does not end with one. */
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

  /** A place to take the line from. */
  mark(): number {
    return this.pieces.length;
  }

  /** Takes away what was added since a mark, all from 0. */
  takeFrom(mark: number): string {
    return this.pieces.splice(mark).join('');
  }
}
