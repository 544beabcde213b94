import { shorten, withGaps } from '../kit/gap.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';
import { isDictionary, jsonColumns } from './json-columns.js';
import { type JsonArraySpan, type JsonObjectSpan, type JsonSpan } from './json-reader.js';

/** Dictionaries with fewer entries keep all of them, since their keys say something each. */
const MIN_ENTRIES = 24;

/** Texts in rows longer than this are cut. */
const MAX_ROW_TEXT = 400;

/** Lists of short plain values up to this many characters are kept. */
const MAX_PLAIN_LIST = 300;

/** Renders the value again with long arrays condensed; everything else keeps its notation but for white space. */
export class JsonRenderer {
  /** How many arrays, dictionaries and texts were cut; when none was, the value is better left alone. */
  cuts = 0;

  private readonly colon: string;
  private readonly comma: string;
  private rowDepth = 0;

  constructor(private readonly text: string) {
    // A key and its value stay as they stand in the original, so that a search for both still finds them.
    this.colon = text.includes('": ') ? ': ' : ':';
    this.comma = this.colon === ': ' ? ', ' : ',';
  }

  render(node: JsonSpan): string {
    switch (node.kind) {
      case 'array':
        return this.array(node);
      case 'object':
        return this.object(node);
      case 'string':
        return this.string(node);
      case 'number':
      case 'word':
        return this.text.slice(node.start, node.end);
    }
  }

  private string(node: JsonSpan): string {
    const raw = this.text.slice(node.start, node.end);
    if (this.rowDepth === 0) {
      return raw;
    }
    const short = shorten(raw, MAX_ROW_TEXT, 40);
    this.cuts += short === raw ? 0 : 1;
    return short;
  }

  private object(node: JsonObjectSpan): string {
    if (isDictionary(node, MIN_ENTRIES)) {
      return this.rows(node.items, '{', '}', (row) => this.member(node, row));
    }
    const members = node.items.map((_, index) => this.member(node, index));
    return `{${members.join(this.comma)}}`;
  }

  private member(node: JsonObjectSpan, index: number): string {
    const item = node.items[index];
    return `"${node.keys[index] ?? ''}"${this.colon}${item ? this.render(item) : ''}`;
  }

  private array({ items, start, end }: JsonArraySpan): string {
    const isPlain = items.every(({ kind }) => kind !== 'object' && kind !== 'array');
    if (items.length < MIN_ROWS || (isPlain && end - start <= MAX_PLAIN_LIST)) {
      return `[${items.map((item) => this.render(item)).join(this.comma)}]`;
    }
    return this.rows(items, '[', ']', (row) => this.renderAt(items, row));
  }

  private renderAt(items: readonly JsonSpan[], row: number): string {
    const item = items[row];
    return item ? this.render(item) : '';
  }

  private rows(
    items: readonly JsonSpan[],
    open: string,
    close: string,
    render: (row: number) => string,
  ): string {
    this.cuts++;
    this.rowDepth++;
    const selection = selectRows(
      items.length,
      jsonColumns(items, () => this.text),
    );
    // Inner arrays are told about once, by the columns of the outermost.
    const lines =
      this.rowDepth > 1
        ? withGaps(items.length, selection.kept, render, 'rows')
        : renderRows(items.length, selection, render);
    this.rowDepth--;
    return [open, ...lines, close].join('\n');
  }
}
