import { escapeText } from '../json/escape-text.js';
import { type ValueSchema } from '../schema/argument-schema.js';
import { CdataSection } from '../text/cdata-section.js';
import { type CallWriter } from './call-writer.js';

/**
 * Characters of a value that may be a string or something else: with so many, or with eight that are no white space at
 * its ends, it is buffered to its end if it has not turned out to be a string.
 */
const MAX_HEAD = 64;
const DECIDING_CHARS = 8;

const ONLY_INDENTATION = /^[ \t]*$/;

/**
 * Writes one argument as JSON that arrives as raw text: a string while it arrives, any other value once it is complete.
 *
 * Models set a value inline or on lines of its own. In the second case the line break behind the opening tag is layout,
 * and so is the last one before the closing tag, with the indentation of that tag. Nothing else is dropped; in
 * particular, every line break of a value that begins inline belongs to it, unless its closing tag is missing, so that
 * the last one stands before the next tag of the call. A value that is a CDATA section of XML is its content.
 */
export class RawArgumentWriter {
  private mode: 'undecided' | 'stream' | 'buffer' = 'undecided';
  private isOpen = false;
  private raw = '';
  /** The last line break with the indentation behind it, while it may be layout. */
  private tail = '';
  private readonly schema: ValueSchema;
  private readonly section = new CdataSection();

  /**
   * @param layout the line break behind the opening tag; empty for a value that begins inline
   * @param isText whether the model declares the value to be text
   */
  constructor(
    private readonly key: string,
    private readonly writer: CallWriter,
    private layout: string,
    isText: boolean,
  ) {
    this.schema = writer.tool.schema.property(key);
    if (isText ? this.mayBeText : this.schema.takesString) {
      this.mode = 'stream';
    }
  }

  /** Whether the schema admits arbitrary text. */
  get mayBeText(): boolean {
    return this.schema.admitsAnyString;
  }

  write(text: string): void {
    const wasOpen = this.section.isOpen;
    const content = this.section.push(text);
    if (this.section.isOpen && !wasOpen) {
      this.layout = this.section.layout;
      this.writer.addRepair('cdata_section');
    }
    if (content !== '') {
      this.writeContent(content);
    }
  }

  private writeContent(text: string): void {
    if (this.tail === '' && !text.includes('\n') && (this.layout === '\n' || !text.endsWith('\r'))) {
      this.add(text);
      return;
    }
    if (this.tail.includes('\n') && ONLY_INDENTATION.test(text)) {
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

  /** Completes the value. @param isClosed whether its closing tag is there */
  end(isClosed = true): void {
    const rest = this.section.end();
    if (rest !== '') {
      this.writeContent(rest);
    }
    if (!this.tail.includes('\n') || (this.layout === '' && isClosed)) {
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

  /** Offset of the line break that would be layout if the value ended here; the length of the text if there is none. */
  private layoutStart(text: string): number {
    const { layout } = this;
    const lineBreak = layout || '\n';
    const last = text.lastIndexOf(lineBreak);
    if (last >= 0 && ONLY_INDENTATION.test(text.slice(last + lineBreak.length))) {
      return layout === '' && text.charAt(last - 1) === '\r' ? last - 1 : last;
    }
    return layout !== '\n' && text.endsWith('\r') ? text.length - 1 : text.length;
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
