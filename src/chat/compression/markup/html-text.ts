import { gap, quantity } from '../kit/gap.js';
import { decodeEntities } from './entities.js';
import { LineText } from './line-text.js';
import { attribute, type MarkupToken, readTags } from './tags.js';

/**
 * Elements that are left out with their content. Each line of the result says how much was left out before it, unless
 * it was less than so many characters.
 */
const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'object']);
const MIN_REPORTED_CHARS = 80;

/** Elements that stand on lines of their own. */
const BLOCKS = new Set([
  ...['html', 'head', 'body', 'main', 'header', 'footer', 'nav', 'aside', 'article', 'section', 'div', 'p'],
  ...['ul', 'ol', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'form', 'fieldset', 'hr', 'blockquote'],
  ...['figure', 'figcaption', 'address', 'details', 'summary'],
]);

const HEADING = /^h[1-6]$/;

/** Characters of a tag that are searched for attributes; longer tags contain pictures. */
const MAX_TAG_CHARS = 20_000;

const BULLET = '- ';
const CELL = '| ';

/** Renders a page as text, in one pass. */
export class HtmlText {
  /** Number of tags, comments and drawings in the page. */
  readonly counts = { tags: 0, comments: 0, drawings: 0 };

  private readonly out: string[] = [];
  /** The line that is being written. */
  private readonly line = new LineText();
  private preDepth = 0;
  /** The open link, and the place of its label in the line; undefined once that line has ended. */
  private link: { readonly href: string; readonly start: number | undefined } | undefined;
  private dropped = new Map<string, { count: number; size: number }>();

  private readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  /** The lines of the page, without blank ones. */
  render(): readonly string[] {
    for (const token of readTags(this.html, true)) {
      if (token.kind === 'text') {
        this.text(this.html.slice(token.start, token.end));
      } else if (token.kind === 'open') {
        this.counts.tags++;
        this.open(token);
      } else if (token.kind === 'close') {
        this.close(token.name);
      } else if (token.kind === 'comment') {
        this.counts.comments++;
      }
    }
    this.breakLine();
    this.reportDropped();
    return this.out;
  }

  private text(raw: string): void {
    const text = decodeEntities(raw);
    if (this.preDepth > 0) {
      this.line.add(text);
      return;
    }
    const words = text.replace(/[ \t\r\n\u00a0]{1,100000}/g, ' ');
    this.line.add(this.line.isOpen ? words : words.trimStart());
  }

  private open(token: MarkupToken): void {
    const { name, start, end } = token;
    if (DROPPED.has(name)) {
      this.drop(`${name}s`, end - start);
      return;
    }
    const tag = this.html.slice(start, Math.min(end, start + MAX_TAG_CHARS));
    if (
      !this.openMeta(name, tag) &&
      !this.openLayout(name) &&
      !this.openInline(name, tag) &&
      BLOCKS.has(name)
    ) {
      this.block();
    }
  }

  /**
   * Handles elements that describe the page.
   * @returns whether the element is one of them
   */
  private openMeta(name: string, tag: string): boolean {
    switch (name) {
      case 'title':
        this.ownLine(
          `Title: ${decodeEntities(tag.slice(tag.indexOf('>') + 1, tag.lastIndexOf('</'))).trim()}`,
        );
        return true;
      case 'svg':
        this.counts.drawings++;
        return true;
      case 'meta':
        this.description(tag);
        return true;
      default:
        return false;
    }
  }

  /**
   * Handles elements that begin or end lines.
   * @returns whether the element is one of them
   */
  private openLayout(name: string): boolean {
    if (HEADING.test(name)) {
      this.breakLine();
      this.line.add(`${'#'.repeat(Number(name.charAt(1)))} `);
      return true;
    }
    switch (name) {
      case 'li':
        this.breakLine();
        this.line.add(BULLET);
        return true;
      case 'br':
      case 'tr':
        this.breakLine();
        return true;
      case 'td':
      case 'th':
        this.line.add(this.line.isOpen ? ` ${CELL}` : CELL);
        return true;
      case 'pre':
        this.breakLine();
        this.preDepth++;
        return true;
      default:
        return false;
    }
  }

  /**
   * Handles elements within a line.
   * @returns whether the element is one of them
   */
  private openInline(name: string, tag: string): boolean {
    switch (name) {
      case 'a':
        this.closeLink();
        this.link = { href: decodeEntities(attribute(tag, 'href') ?? ''), start: this.line.mark() };
        return true;
      case 'img':
        this.image(tag);
        return true;
      case 'input':
      case 'option':
        this.field(tag);
        return true;
      default:
        return false;
    }
  }

  private close(name: string): void {
    if (name === 'a') {
      this.closeLink();
    } else if (name === 'pre') {
      this.breakLine();
      this.preDepth = Math.max(0, this.preDepth - 1);
    } else if (name === 'tr') {
      this.line.add(this.line.isEmpty ? '' : this.line.isOpen ? ' |' : '|');
      this.breakLine();
    } else if (HEADING.test(name) || name === 'li' || BLOCKS.has(name)) {
      this.block();
    }
  }

  /** Begins a new line, except within a table cell or directly behind a bullet. */
  private block(): void {
    if (this.line.first === CELL) {
      this.line.add(this.line.isOpen ? ' ' : '');
    } else if (!this.line.isOnly(BULLET)) {
      this.breakLine();
    }
  }

  private closeLink(): void {
    if (!this.link) {
      return;
    }
    const { href, start } = this.link;
    this.link = undefined;
    if (href === '' || /^(#|javascript:)/i.test(href)) {
      return;
    }
    if (start === undefined) {
      this.line.add(` (${href})`);
      return;
    }
    const label = this.line.takeFrom(start).trim();
    const shown = href.startsWith('data:') ? href.slice(0, 30) + gap(href.length - 30, 'characters') : href;
    this.line.add(label === '' ? `<${shown}>` : `[${label}](${shown})`);
  }

  private image(tag: string): void {
    const alt = decodeEntities(attribute(tag, 'alt') ?? '').trim();
    this.line.add(alt === '' ? '' : `[image: ${alt}]`);
  }

  private field(tag: string): void {
    const said = ['name', 'placeholder', 'value']
      .map((name) => attribute(tag, name) ?? '')
      .filter((value) => value !== '');
    if (said.length > 0 && attribute(tag, 'type') !== 'hidden') {
      this.line.add(`[${said.join(' ')}] `);
    }
  }

  private description(tag: string): void {
    const name = attribute(tag, 'name') ?? attribute(tag, 'property') ?? '';
    if (/^(description|author|date|keywords|article:published_time|og:description)$/.test(name)) {
      this.ownLine(`${name}: ${decodeEntities(attribute(tag, 'content') ?? '')}`);
    }
  }

  private ownLine(text: string): void {
    this.breakLine();
    this.line.add(text);
    this.breakLine();
  }

  private drop(what: string, size: number): void {
    const before = this.dropped.get(what) ?? { count: 0, size: 0 };
    this.dropped.set(what, { count: before.count + 1, size: before.size + size });
  }

  private breakLine(): void {
    const text = this.line.takeFrom(0);
    const line = this.preDepth > 0 ? text.trimEnd() : text.trim();
    if (this.link) {
      this.link = { href: this.link.href, start: undefined };
    }
    if (line !== '' && line !== '-') {
      this.reportDropped();
      this.out.push(line);
    }
  }

  /** Writes a line about the elements that were left out since the last line. */
  private reportDropped(): void {
    for (const [what, { count, size }] of this.dropped) {
      if (size >= MIN_REPORTED_CHARS) {
        this.out.push(`[… ${quantity(count, what)}, ${size} characters, omitted]`);
      }
    }
    this.dropped = new Map();
  }
}
