/**
 * Finds a sequence in a text that arrives in pieces, in time linear in the text whatever the sequence is (the algorithm of
 * Knuth, Morris and Pratt).
 */
export class SequenceMatcher {
  /** For each length of a match, the length of the next shorter one that ends at the same character. */
  private readonly shorter: Uint32Array;
  private length = 0;

  /** @param sequence not empty */
  constructor(readonly sequence: string) {
    this.shorter = new Uint32Array(sequence.length + 1);
    for (let end = 1, length = 0; end < sequence.length; end++) {
      length = this.next(length, sequence.charCodeAt(end));
      this.shorter[end + 1] = length;
    }
  }

  /** Number of the last characters that are a beginning of the sequence. */
  get matched(): number {
    return this.length;
  }

  /** @returns whether the sequence ends with this UTF-16 unit; nothing may be added after that */
  add(code: number): boolean {
    this.length = this.next(this.length, code);
    return this.length === this.sequence.length;
  }

  /** Forgets what has arrived. */
  reset(): void {
    this.length = 0;
  }

  private next(length: number, code: number): number {
    let next = length;
    while (next > 0 && this.sequence.charCodeAt(next) !== code) {
      next = this.shorter[next]!;
    }
    return this.sequence.charCodeAt(next) === code ? next + 1 : 0;
  }
}
