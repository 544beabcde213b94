import { escapeText } from '../json/json-string.js';
import { type ValueSchema } from '../schema/argument-schema.js';
import { type CallWriter } from './call-writer.js';

/** Of text that may be a string or something else, so much is looked at before it is kept to its end. */
const MAX_HEAD = 64;
const DECIDING_CHARS = 8;

const ONLY_INDENTATION = /^[ \t]*$/;

/**
 * The raw text of one parameter, written as JSON: strings as they arrive, anything else when it is complete.
 *
 * Models set values inline, or on lines of their own. A line break right after the opening tag is layout, and
 * then so is the last one before the closing tag, with the indentation of that tag; nothing else is dropped. So of
 * a text that begins inline, every line break is its own.
 */
export class RawArgumentWriter {
  private mode: 'undecided' | 'stream' | 'buffer' = 'undecided';
  private isOpen = false;
  private raw = '';
  /** The last line break and what follows it, while that may be layout. */
  private tail = '';
  private readonly schema: ValueSchema;

  /**
   * @param layout the line break by which the value was set apart; empty for one that begins inline
   * @param isText the model says that it is text
   */
  constructor(
    private readonly key: string,
    private readonly writer: CallWriter,
    private readonly layout: string,
    isText: boolean,
  ) {
    this.schema = writer.tool.schema.property(key);
    if (isText ? this.mayBeText : this.schema.takesString) {
      this.mode = 'stream';
    }
  }

  /** Whether some text that stands for itself may be meant. */
  get mayBeText(): boolean {
    return this.schema.takesString || this.schema.startsString('x');
  }

  write(text: string): void {
    if (this.layout === '' || (this.layout === '\n' && this.tail === '' && !text.includes('\n'))) {
      this.add(text);
      return;
    }
    if (this.tail.startsWith(this.layout) && ONLY_INDENTATION.test(text)) {
      this.tail += text;
      return;
    }
    const all = this.tail + text;
    const end = this.layoutStart(all);
    this.tail = all.slice(end);
    if (end > 0) {
      this.add(all.slice(0, end));
    }
  }

  /** The value is complete. */
  end(): void {
    if (!this.tail.startsWith(this.layout)) {
      this.add(this.tail);
    }
    if (this.mode === 'stream') {
      this.open();
      this.writer.write('"');
      return;
    }
    const { json, repairs } = this.schema.fromText(this.raw);
    this.writer.addRepairs(repairs);
    this.writer.key(this.key);
    this.writer.write(json);
  }

  /** Where the line break begins that would be layout if the value ended here; the end if there is none. */
  private layoutStart(text: string): number {
    const last = text.lastIndexOf(this.layout);
    if (last >= 0 && ONLY_INDENTATION.test(text.slice(last + this.layout.length))) {
      return last;
    }
    return this.layout.length > 1 && text.endsWith('\r') ? text.length - 1 : text.length;
  }

  private add(text: string): void {
    if (this.mode === 'stream') {
      this.open();
      this.writer.write(escapeText(text));
      return;
    }
    this.raw += text;
    if (this.mode === 'undecided') {
      this.decide();
    }
  }

  private decide(): void {
    const { raw } = this;
    if (this.schema.startsString(raw.slice(0, MAX_HEAD))) {
      this.mode = 'stream';
      this.open();
      this.writer.write(escapeText(raw));
      this.raw = '';
    } else if (raw.length > MAX_HEAD || raw.trim().length >= DECIDING_CHARS) {
      this.mode = 'buffer';
    }
  }

  private open(): void {
    if (!this.isOpen) {
      this.isOpen = true;
      this.writer.key(this.key);
      this.writer.write('"');
    }
  }
}
