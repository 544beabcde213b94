import { AMPERSAND, type CharacterSink, SPACE } from './characters.js';
import { entityCode, MAX_ENTITY, mayBeEntity } from './html-escapes.js';

/** Decodes the entities of HTML in one pass: `&lt;`, `&#39;`, and those that were escaped twice. */
export class EntityReader implements CharacterSink {
  /** Characters that may be an entity, from `&` on; empty if the next character is none of one. */
  private entity = '';
  private startedAt = 0;

  constructor(private readonly sink: CharacterSink) {}

  /** Whether the next character may belong to an entity. */
  get isWithin(): boolean {
    return this.entity !== '';
  }

  take(code: number, at: number): void {
    if (this.entity !== '') {
      this.takeEntity(code, at);
    } else if (code === AMPERSAND) {
      this.entity = '&';
      this.startedAt = at;
    } else {
      this.sink.take(code, at);
    }
  }

  /** Ends the text and gives back what turned out to be no entity. */
  end(): void {
    const { entity } = this;
    this.entity = '';
    for (let i = 0; i < entity.length; i++) {
      this.sink.take(entity.charCodeAt(i), this.startedAt + i);
    }
  }

  private takeEntity(code: number, at: number): void {
    const text = this.entity + String.fromCharCode(code);
    const decoded = entityCode(text);
    if (decoded === AMPERSAND) {
      // Escaped twice: `&amp;lt;`.
      this.entity = '&';
    } else if (decoded !== undefined) {
      this.entity = '';
      this.give(decoded);
    } else if (text.length < MAX_ENTITY && mayBeEntity(text)) {
      this.entity = text;
    } else {
      this.end();
      this.take(code, at);
    }
  }

  /** Gives a decoded character, whose offset is that of its entity. A space of its own kind is a space. */
  private give(code: number): void {
    if (code > 0xffff) {
      const pair = String.fromCodePoint(Math.min(code, 0x10ffff));
      this.sink.take(pair.charCodeAt(0), this.startedAt);
      this.sink.take(pair.charCodeAt(1), this.startedAt + 1);
    } else {
      this.sink.take(code === 0xa0 ? SPACE : code, this.startedAt);
    }
  }
}
