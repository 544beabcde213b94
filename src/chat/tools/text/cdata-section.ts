const OPENER = '<![CDATA[';
const CLOSER = ']]>';

/** A beginning of a value that may become one of a section. More blanks are no layout, and would be read ever again. */
const PARTIAL_OPENER = /^[ \t]{0,256}(?:<(?:!(?:\[(?:C(?:D(?:A(?:T(?:A)?)?)?)?)?)?)?)?$/;

/** A beginning of a section. Group 1: the line break behind the opener. */
const BEGUN = /^[ \t]{0,256}<!\[CDATA\[(\r?\n)?/;

/** The end of a text that may close its section, or go on with another one. */
const MAY_CLOSE = /\](?:\](?:>(?:\s{0,256}|<(?:!(?:\[(?:C(?:D(?:A(?:T(?:A)?)?)?)?)?)?)?)?)?)?$/;
const CLOSED = /^\]\]>\s*$/;

/** Takes the marks of a CDATA section of XML off a value that is one, or several without anything between them. */
export class CdataSection {
  /** Whether the value is one; undefined while it may become one. */
  isOpen: boolean | undefined;
  /** The line break behind the opener, which is layout like one behind a tag. */
  layout = '';
  private held = '';

  /** @returns the content that is known so far */
  push(piece: string): string {
    if (this.isOpen === false) {
      return piece;
    }
    const text = this.held + piece;
    this.held = '';
    return this.isOpen ? this.content(text) : this.begin(text);
  }

  /** @returns the rest of the content */
  end(): string {
    const { held } = this;
    this.held = '';
    if (this.isOpen === undefined && BEGUN.test(held)) {
      this.isOpen = true;
      return held.slice(held.indexOf(OPENER) + OPENER.length);
    }
    return this.isOpen && CLOSED.test(held) ? '' : held;
  }

  private begin(text: string): string {
    const [opener, layout = ''] = BEGUN.exec(text) ?? [];
    const isUndecided = opener === undefined ? PARTIAL_OPENER.test(text) : /\[\r?$/.test(text);
    if (isUndecided) {
      this.held = text;
      return '';
    }
    this.isOpen = opener !== undefined;
    this.layout = layout;
    return opener === undefined ? text : this.content(text.slice(opener.length));
  }

  private content(text: string): string {
    const joined = text.replaceAll(CLOSER + OPENER, '');
    const end = MAY_CLOSE.exec(joined)?.index ?? joined.length;
    this.held = joined.slice(end);
    return joined.slice(0, end);
  }
}
