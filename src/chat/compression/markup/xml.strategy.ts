import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { shorten, withGaps } from '../kit/gap.js';
import { compilePattern, type PatternTable } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { appendCell, columnOf, type Columns } from '../rows/column-cells.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';
import { attributes } from './tags.js';
import { readXml, type XmlElement } from './xml-tree.js';

/** Root elements, in small letters, of configurations, manifests, schemas and drawings: sources, not data. */
export const SOURCE_ROOTS: PatternTable = {
  before: /^/,
  alternatives: [
    [
      'configuration',
      /configuration|config|settings|beans|profile|nlog|log4j:configuration|ruleset/,
      'beans',
    ],
    ['other configuration', /[\w-]{0,40}(?:config|configregistry|policy|settings)/, 'security-policy'],
    ['manifest', /project|manifest|package|module|ivy-module|application|web-app/, 'manifest'],
    ['schema or style sheet', /schema|xs:schema|xsd:schema|xsl:stylesheet/, 'xs:schema'],
    ['user interface', /resources|layout|linearlayout|component|window|usercontrol/, 'linearlayout'],
    ['document', /html|svg|plist|mime-type|mime-info/, 'svg'],
  ],
  after: /$/,
};
const SOURCE_ROOT = compilePattern(SOURCE_ROOTS);

/** Number of items up to which a feed keeps all of them, and the length in characters of their texts. */
const MAX_ITEMS = 60;
const MAX_ITEM_TEXT = 160;

const MAX_TEXT = 600;

/** Rows with a failure that are kept beside the selected ones. */
const MAX_FAILURES = 100;

/** XML data: of long rows of similar elements the first, the last and the unusual ones are kept. */
export const xmlStrategy: Strategy = {
  rule: 'xml',
  condense: (text) => {
    if (!/^[\s\uFEFF]{0,100}<[?!A-Za-z]/.test(text)) {
      return undefined;
    }
    const root = readXml(text);
    if (!root || SOURCE_ROOT.test(root.name)) {
      return root && text;
    }
    const renderer = new XmlRenderer(text);
    const condensed = renderer.render(root, 0);
    return renderer.cuts === 0 ? text : `${text.slice(0, root.start)}${condensed}${text.slice(root.end)}`;
  },
};

/** Cells of rows, of which elements that a row has several times are appended, and all values by column. */
interface XmlColumns {
  readonly columns: Columns;
  readonly items: ReadonlyMap<string, readonly string[]>;
}

class XmlRenderer {
  cuts = 0;
  private rowDepth = 0;

  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  render(element: XmlElement, depth: number): string {
    const { children, start, end, inner } = element;
    if (children.length === 0) {
      return this.leaf(element);
    }
    const open = this.tag(start, inner);
    const close = this.text.slice(children.at(-1)?.end ?? end, end).trim();
    const groups = similarChildren(children);
    if (groups.length === 0) {
      const separator = this.rowDepth > 0 ? '' : '\n';
      const parts = children.map(
        (child, index) => this.textBefore(element, index) + this.render(child, depth + 1),
      );
      return [open, ...parts].join(separator) + separator + close;
    }
    const inGroups = new Set(groups.flat());
    const others = children.filter((child) => !inGroups.has(child));
    return [
      open,
      ...others.map((child) => this.render(child, depth + 1)),
      ...groups.flatMap((rows) => this.rows(rows, depth)),
      close,
    ].join('\n');
  }

  private leaf({ start, end, inner }: XmlElement): string {
    const content = this.text.slice(inner, end);
    const limit = this.rowDepth > 0 ? MAX_TEXT : Infinity;
    if (content.length <= limit + 40) {
      return this.tag(start, inner) + content;
    }
    this.cuts++;
    return this.tag(start, inner) + shorten(content, limit, 60);
  }

  /** A tag in one line. */
  private tag(start: number, inner: number): string {
    const tag = this.text.slice(start, inner);
    return tag.includes('\n') ? tag.replace(/[ \t\r\n]{2,10000}/g, ' ') : tag;
  }

  /** Text before a child, in mixed content. */
  private textBefore({ children, inner }: XmlElement, index: number): string {
    const from = index === 0 ? inner : (children[index - 1]?.end ?? inner);
    return this.text.slice(from, children[index]?.start ?? from).trim();
  }

  private rows(rows: readonly XmlElement[], depth: number): string[] {
    this.cuts++;
    if (isFeed(rows[0]?.name) && rows.length <= MAX_ITEMS) {
      return rows.map((item) => this.item(item));
    }
    this.rowDepth++;
    const { columns, items } = this.columns(rows);
    const selection = selectRows(rows.length, columns, items);
    const failed = rows.flatMap((row, index) => (this.hasFailure(row) ? [index] : []));
    // Where most rows have an error, errors are what the rows are about.
    const told = failed.length > rows.length / 2 ? [] : failed.slice(0, MAX_FAILURES);
    const kept = [...new Set([...selection.kept, ...told])].sort((a, b) => a - b);
    const render = (index: number): string => {
      const row = rows[index];
      return row ? this.render(row, depth + 1) : '';
    };
    const lines =
      this.rowDepth > 1
        ? withGaps(rows.length, kept, render, 'elements')
        : renderRows(rows.length, { ...selection, kept }, render);
    this.rowDepth--;
    return lines;
  }

  private hasFailure({ start, end }: XmlElement): boolean {
    const slice = this.text.slice(start, end);
    return slice.includes('<failure') || slice.includes('<error');
  }

  /** An item of a feed with its long texts cut. */
  private item(item: XmlElement): string {
    const parts = item.children.map(({ start, end, inner }) => {
      const content = this.text.slice(inner, end);
      return this.text.slice(start, inner) + shorten(content, MAX_ITEM_TEXT, 20);
    });
    return [this.text.slice(item.start, item.inner), ...parts, `</${item.name}>`].join('');
  }

  /** Text of an element without children. */
  private textOf({ inner, end }: XmlElement): string {
    const content = this.text.slice(inner, end);
    const close = content.lastIndexOf('</');
    return (close < 0 ? content : content.slice(0, close)).trim();
  }

  private columns(rows: readonly XmlElement[]): XmlColumns {
    const columns = new Map<string, (string | undefined)[]>();
    const items = new Map<string, string[]>();
    const put = (name: string, row: number, cell: string): void => {
      appendCell(columnOf(columns, name, rows.length), row, cell);
      getOrInsert(items, name, () => []).push(cell);
    };
    const walk = (element: XmlElement, row: number, prefix: string, depth: number): void => {
      for (const [name, value] of attributes(this.text.slice(element.start, element.inner))) {
        put(`${prefix}@${name}`, row, value);
      }
      if (element.children.length === 0) {
        const content = this.textOf(element);
        // An element that is there but says nothing may be the one that matters: `<skipped/>`.
        if (content !== '' || prefix !== '') {
          put(prefix === '' ? 'text' : prefix, row, content || 'no text');
        }
      } else if (depth < 3) {
        element.children.forEach((child) =>
          walk(child, row, prefix === '' ? child.name : `${prefix}/${child.name}`, depth + 1),
        );
      }
    };
    rows.forEach((row, index) => walk(row, index, '', 0));
    return { columns, items };
  }
}

function isFeed(name = ''): boolean {
  return name === 'item' || name === 'entry';
}

/**
 * Groups of children with the same name that are large enough to be rows; none if they are not most of the children.
 */
function similarChildren(children: readonly XmlElement[]): (readonly XmlElement[])[] {
  const groups = [...Map.groupBy(children, ({ name }) => name).values()].filter(
    (group) => group.length >= MIN_ROWS,
  );
  const inGroups = groups.reduce((sum, group) => sum + group.length, 0);
  return inGroups >= children.length * 0.6 ? groups : [];
}
