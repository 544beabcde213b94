import { gap } from '../gap.js';
import { decodeEntities } from './entities.js';
import { attribute, type MarkupToken, readTags } from './tags.js';

/** Elements that are left out with all they hold; shorter ones not worth a word. */
const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object']);
const WORTH_TELLING = 80;

const BLOCKS = new Set(
  'p div section article main header footer nav aside ul ol table tbody thead form fieldset figure figcaption blockquote dl dd dt address details summary body html head hr'.split(
    ' ',
  ),
);

/** Turns a page into text a person would read, in one pass. */
export class HtmlText {
  /** How many tags there were. */
  tags = 0;

  private readonly out: string[] = [];
  /** The line being written. */
  private line = '';
  private preDepth = 0;
  private link: { href: string; start: number } | undefined;
  private dropped = new Map<string, { count: number; size: number }>();

  constructor(private readonly html: string) {}

  /** The lines of the page. */
  render(): readonly string[] {
    for (const token of readTags(this.html, true)) {
      if (token.kind === 'text') {
        this.text(this.html.slice(token.start, token.end));
      } else if (token.kind === 'open') {
        this.tags++;
        this.open(token);
      } else if (token.kind === 'close') {
        this.close(token.name);
      } else if (token.kind === 'comment') {
        this.drop('comments', token.end - token.start);
      }
    }
    this.breakLine();
    this.tellDropped();
    return this.out;
  }

  private text(raw: string): void {
    const text = decodeEntities(raw);
    if (this.preDepth > 0) {
      this.line += text;
      return;
    }
    const words = text.replace(/[ \t\r\n\u00a0]{1,100000}/g, ' ');
    this.line += this.line === '' || this.line.endsWith(' ') ? words.trimStart() : words;
  }

  private open(token: MarkupToken): void {
    const { name, start, end } = token;
    if (DROPPED.has(name)) {
      this.drop(name === 'svg' ? 'drawings' : `${name}s`, end - start);
      return;
    }
    const tag = this.html.slice(start, Math.min(end, start + 20_000));
    switch (name) {
      case 'title':
        this.breakLine();
        this.line = `Title: ${decodeEntities(tag.replace(/<[^>]{0,1000}>/g, '')).trim()}`;
        this.breakLine();
        break;
      case 'meta':
        this.description(tag);
        break;
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        this.breakLine();
        this.line = `${'#'.repeat(Number(name.charAt(1)))} `;
        break;
      case 'li':
        this.breakLine();
        this.line = '- ';
        break;
      case 'br':
        this.breakLine();
        break;
      case 'tr':
        this.breakLine();
        break;
      case 'td':
      case 'th':
        this.line = this.line === '' ? '| ' : `${this.line.trimEnd()} | `;
        break;
      case 'pre':
        this.breakLine();
        this.preDepth++;
        break;
      case 'a':
        this.closeLink();
        this.link = { href: decodeEntities(attribute(tag, 'href') ?? ''), start: this.line.length };
        break;
      case 'img':
        this.image(tag);
        break;
      case 'input':
      case 'option':
        this.field(tag);
        break;
      default:
        if (BLOCKS.has(name)) {
          this.block();
        }
    }
  }

  private close(name: string): void {
    if (name === 'a') {
      this.closeLink();
    } else if (name === 'pre') {
      this.breakLine();
      this.preDepth = Math.max(0, this.preDepth - 1);
    } else if (name === 'tr') {
      this.line = this.line === '' ? '' : `${this.line.trimEnd()} |`;
      this.breakLine();
    } else if (/^h[1-6]$/.test(name) || name === 'li' || BLOCKS.has(name)) {
      this.block();
    }
  }

  /** A block within a cell or just behind a bullet goes on in its line. */
  private block(): void {
    if (this.line.startsWith('| ')) {
      this.line += this.line.endsWith(' ') ? '' : ' ';
    } else if (this.line !== '- ') {
      this.breakLine();
    }
  }

  private closeLink(): void {
    if (!this.link) {
      return;
    }
    const { href, start } = this.link;
    this.link = undefined;
    const isTarget = href !== '' && !/^(#|javascript:)/i.test(href);
    if (isTarget && start <= this.line.length) {
      const label = this.line.slice(start).trim();
      const before = this.line.slice(0, start);
      const shown = href.startsWith('data:') ? href.slice(0, 30) + gap(href.length - 30, 'characters') : href;
      this.line = label === '' ? `${before}<${shown}>` : `${before}[${label}](${shown})`;
    } else if (isTarget) {
      this.line += ` (${href})`;
    }
  }

  private image(tag: string): void {
    const alt = decodeEntities(attribute(tag, 'alt') ?? '').trim();
    if (alt !== '') {
      this.line += `[image: ${alt}]`;
    }
  }

  private field(tag: string): void {
    const said = ['name', 'placeholder', 'value']
      .map((name) => attribute(tag, name) ?? '')
      .filter((value) => value !== '');
    if (said.length > 0 && attribute(tag, 'type') !== 'hidden') {
      this.line += `[${said.join(' ')}] `;
    }
  }

  private description(tag: string): void {
    const name = attribute(tag, 'name') ?? attribute(tag, 'property') ?? '';
    if (/^(description|author|date|keywords|article:published_time|og:description)$/.test(name)) {
      this.breakLine();
      this.line = `${name}: ${decodeEntities(attribute(tag, 'content') ?? '')}`;
      this.breakLine();
    }
  }

  private drop(what: string, size: number): void {
    const before = this.dropped.get(what) ?? { count: 0, size: 0 };
    this.dropped.set(what, { count: before.count + 1, size: before.size + size });
  }

  private breakLine(): void {
    const line = this.preDepth > 0 ? this.line.trimEnd() : this.line.trim();
    this.line = '';
    if (this.link) {
      this.link = { ...this.link, start: Infinity };
    }
    if (line !== '' && line !== '-') {
      this.tellDropped();
      this.out.push(line);
    }
  }

  /** Says what was left out since the last line. */
  private tellDropped(): void {
    for (const [what, { count, size }] of this.dropped) {
      if (size >= WORTH_TELLING) {
        this.out.push(`[… ${count} ${count === 1 ? what.slice(0, -1) : what}, ${size} characters, omitted]`);
      }
    }
    this.dropped = new Map();
  }
}
