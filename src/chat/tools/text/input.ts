/** A parser as a generator: it reads what has arrived and waits at each `yield` for more input, or for its end. */
export type Parsing<T> = Generator<undefined, T, undefined>;

/**
 * The text of one answer with a read cursor: a window of the text that has arrived and is not consumed yet. Consumed
 * text is dropped, except between `keep` and `drop`, when it may still have to be given back as plain text.
 */
export class Input {
  /** The visible window. Everything before the cursor is consumed. */
  text = '';
  /** The cursor: an offset in `text`. */
  at = 0;
  /** The parser that currently runs in place of the whole grammar; see `runDetached`. */
  detached: Parsing<void> | undefined;
  private hasEnded = false;
  private isKeeping = false;
  private kept = '';
  private keptFrom = 0;
  /** Characters that may still become visible; infinite without a cap. */
  private allowance = Infinity;
  /** Text that arrived beyond the cap. */
  private hidden = '';

  /** A text that is complete, with the cursor at its beginning. */
  static whole(text: string): Input {
    const input = new Input();
    input.push(text);
    input.end();
    return input;
  }

  /** Whether nothing follows the visible window. */
  get isEnded(): boolean {
    return this.allowance === 0 || (this.hasEnded && this.hidden === '');
  }

  /** Whether the window ends at the cap, which need not be the end of the answer. */
  get isCapped(): boolean {
    return this.allowance === 0;
  }

  /** Appends a piece of the answer. Invalidates all offsets in `text` except the cursor. */
  push(piece: string): void {
    if (this.isKeeping) {
      this.kept += this.text.slice(this.keptFrom, this.at);
      this.keptFrom = 0;
    }
    const rest = this.at < this.text.length ? this.text.slice(this.at) : '';
    this.at = 0;
    if (this.allowance < piece.length) {
      this.text = rest + piece.slice(0, this.allowance);
      this.hidden += piece.slice(this.allowance);
      this.allowance = 0;
    } else {
      this.text = rest === '' ? piece : rest + piece;
      this.allowance -= piece.length;
    }
  }

  /** Marks the end of the answer. */
  end(): void {
    this.hasEnded = true;
  }

  /** Keeps the text that is consumed from the cursor on, until `drop`. */
  keep(): void {
    this.isKeeping = true;
    this.kept = '';
    this.keptFrom = this.at;
  }

  /** The text consumed since `keep`; empty if nothing is kept. */
  peekKept(): string {
    return this.isKeeping ? this.kept + this.text.slice(this.keptFrom, this.at) : '';
  }

  /** Returns the kept text and starts keeping anew at the cursor. */
  takeKept(): string {
    const kept = this.peekKept();
    this.kept = '';
    this.keptFrom = this.at;
    return kept;
  }

  /** Discards the kept text and stops keeping. */
  drop(): void {
    this.isKeeping = false;
    this.kept = '';
  }

  /** Hides everything beyond the next `length` characters, as if the answer ended there, until `uncap`. */
  cap(length: number): void {
    const end = this.at + length;
    this.hidden = this.text.slice(end);
    this.text = this.text.slice(0, end);
    this.allowance = end - this.text.length;
  }

  /** Makes everything visible again that has arrived. */
  uncap(): void {
    this.text += this.hidden;
    this.hidden = '';
    this.allowance = Infinity;
  }
}
