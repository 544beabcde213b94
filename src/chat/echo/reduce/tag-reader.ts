import { type CharacterSink, ESCAPE, LESS, SPACE } from './characters.js';
import { layoutOf, mayBeTag } from './html-escapes.js';

const BRACKET = 0x5b;

/**
 * Drops, in one pass, what only tells how a text looks: tags without attributes, of which those of blocks, items and rows
 * are line breaks and their marks, and a terminal's colours.
 */
export class TagReader implements CharacterSink {
  private state: 'none' | 'tag' | 'escape' | 'colour' = 'none';
  /** Characters that may be a tag, from `<` on. */
  private tag = '';
  private startedAt = 0;

  constructor(private readonly sink: CharacterSink) {}

  /** Whether the next character may belong to a tag or a colour. */
  get isWithin(): boolean {
    return this.state !== 'none';
  }

  take(code: number, at: number): void {
    switch (this.state) {
      case 'none':
        this.begin(code, at);
        break;
      case 'tag':
        this.takeTag(code, at);
        break;
      case 'escape':
        this.state = code === BRACKET ? 'colour' : 'none';
        if (code !== BRACKET) {
          this.take(code, at);
        }
        break;
      case 'colour':
        // Parameters stand before the letter that ends the sequence.
        this.state = code >= SPACE && code < 0x40 ? 'colour' : 'none';
    }
  }

  /** Ends the text and gives back what turned out to be no tag. */
  end(): void {
    if (this.state === 'tag') {
      this.replay();
    }
  }

  private begin(code: number, at: number): void {
    if (code === LESS) {
      this.state = 'tag';
      this.tag = '<';
      this.startedAt = at;
    } else if (code === ESCAPE) {
      this.state = 'escape';
    } else {
      this.sink.take(code, at);
    }
  }

  private takeTag(code: number, at: number): void {
    const tag = this.tag + String.fromCharCode(code);
    const layout = layoutOf(tag);
    if (layout !== undefined) {
      this.state = 'none';
      for (let i = 0; i < layout.length; i++) {
        this.sink.take(layout.charCodeAt(i), this.startedAt);
      }
    } else if (mayBeTag(tag)) {
      this.tag = tag;
    } else {
      this.replay();
      this.take(code, at);
    }
  }

  private replay(): void {
    this.state = 'none';
    for (let i = 0; i < this.tag.length; i++) {
      this.sink.take(this.tag.charCodeAt(i), this.startedAt + i);
    }
  }
}
