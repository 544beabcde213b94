import { AMPERSAND, type CharacterSink, SPACE, takeDecoded } from './characters.js';
import { entityCode, MAX_ENTITY, mayBeEntity } from './html-escapes.js';

const NO_BREAK_SPACE = 0xa0;

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
      // A space of its own kind is a space.
      takeDecoded(this.sink, decoded === NO_BREAK_SPACE ? SPACE : decoded, this.startedAt);
    } else if (text.length < MAX_ENTITY && mayBeEntity(text)) {
      this.entity = text;
    } else {
      this.end();
      this.take(code, at);
    }
  }
}
