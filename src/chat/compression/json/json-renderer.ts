import { quantity, shorten, withGaps } from '../kit/gap.js';
import { type RowLines } from '../rows/all-rows.js';
import { areFoundTexts } from '../rows/found-texts.js';
import { rowLines } from '../rows/row-lines.js';
import { MIN_ROWS, renderRows, type RowSelection, selectRows } from '../rows/row-selection.js';
import { CommonMembers } from './common-members.js';
import { type ConstantMembers } from './constant-members.js';
import { isDictionary, jsonColumns } from './json-columns.js';
import { type JsonArraySpan, type JsonObjectSpan, type JsonSpan } from './json-reader.js';
import { LeftOutMembers, memberPath } from './left-out-members.js';
import { rowCells } from './row-cells.js';

/** Number of entries below which a dictionary stays whole, since each key says something. */
const MIN_ENTRIES = 24;

/** Length of a shorter dictionary that may be shown as lines of values, and the share of it that these must stay below. */
const MAX_ENTRIES_CHARS = 30_000;
const MAX_ENTRIES_SHARE = 0.8;

/** Length in characters above which a string within a row is cut. */
const MAX_ROW_TEXT = 400;

/** Length in characters up to which a list of plain values stays whole. */
const MAX_PLAIN_LIST = 300;

/** Settings of one object that are kept whole, their characters, and the share of the text that they may make up. */
const MAX_SETTINGS = 80;
const MAX_SETTINGS_CHARS = 12_000;
const MAX_SETTINGS_SHARE = 0.6;

/** Members with one value in all rows from which on they are left out of the rows that are shown. */
const MIN_CONSTANT = 2;

/** Members of a setting that is an object. */
const MAX_SETTING_KEYS = 8;
const SETTING_KEYS =
  /^(?:name|key|type|id|source|destination|target|containerport|hostport|mountpath|path|port|start)$/i;

/** Objects from which on, and their length in the mean, what is as in the first is shown there only. */
const FEW_LARGE = 3;
const LARGE_CHARS = 800;
const COMMON_NOTE = 'what is as in the first is left out of the others, hashes are cut';

/** Hashes of content, and the characters by which programs show them to people. */
const LONG_HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
const HASH_CHARS = 12;

function areLarge({ items, start, end }: Pick<JsonArraySpan, 'items' | 'start' | 'end'>): boolean {
  return (
    items.length >= FEW_LARGE &&
    end - start >= items.length * LARGE_CHARS &&
    items.every(({ kind }) => kind === 'object')
  );
}

function isSetting(node: JsonSpan): boolean {
  if (node.kind === 'array') {
    // Pairs of numbers are points of a curve.
    return node.items.length <= 2 && node.items.every((item) => item.kind !== 'number' && isSetting(item));
  }
  if (node.kind === 'object') {
    const isFlat = node.items.every(({ kind }) => kind !== 'array');
    return isFlat && node.keys.length <= MAX_SETTING_KEYS && node.keys.some((key) => SETTING_KEYS.test(key));
  }
  return true;
}

/** The first key of a value. Further on, a text within a string may have separators of its own. */
const FIRST_KEY = /[[{]\s{0,400}"(?:[^"\\]|\\.){0,200}"\s{0,4}:(\s?)/;

/** Whether blanks stand behind the colons. */
function isSpaced(text: string): boolean {
  return FIRST_KEY.exec(text.slice(0, 20_000))?.[1] === ' ';
}

/**
 * Renders a value with its long arrays and dictionaries condensed. Everything else keeps its notation; only white
 * space changes.
 */
export class JsonRenderer {
  /**
   * Number of arrays, dictionaries and strings that were cut, or kept as settings. If there is none, the original is better than the
   * rendered value.
   */
  cuts = 0;

  private readonly colon: string;
  private readonly comma: string;
  private rowDepth = 0;
  /** Of the row that is rendered. */
  private leftOut: Pick<LeftOutMembers, 'has'> | undefined;

  private readonly text: string;

  private readonly whole: ReadonlySet<JsonSpan>;

  private readonly constant: ConstantMembers | undefined;

  /** Whether settings of an inspected object are rendered, which stay as they are. */
  private inSettings = false;

  /**
   * @param whole values that stay as they are
   * @param constant members to leave out of what is no row
   */
  constructor(text: string, whole: readonly JsonSpan[], constant?: ConstantMembers) {
    this.text = text;
    this.constant = constant;
    this.whole = new Set(whole);
    // Keys and values keep the separator of the original, so that a search for `"key": value` still finds them.
    this.colon = isSpaced(text) ? ': ' : ':';
    this.comma = this.colon === ': ' ? ', ' : ',';
  }

  /** What was left out of objects, if anything was. */
  get note(): string | undefined {
    return this.constant?.note(this.colon, this.comma);
  }

  /** @param path of the value within its row, as columns are named */
  render(node: JsonSpan, path = ''): string {
    if (this.whole.has(node)) {
      return this.text.slice(node.start, node.end);
    }
    switch (node.kind) {
      case 'array':
        return this.array(node, path);
      case 'object':
        return this.object(node, path);
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

  private object(node: JsonObjectSpan, path: string): string {
    if (isDictionary(node, MIN_ENTRIES) && !this.areSettings(node)) {
      return this.rows(node.items, '{', '}', (row) => this.member(node, row), node.keys);
    }
    const isRow = this.rowDepth > 0 || this.leftOut !== undefined;
    const constant = isRow || this.inSettings ? undefined : this.constant;
    const shown = [...node.items.keys()].filter(
      (index) => !this.leftOut?.has(node, index, path) && constant?.take(node, index) !== true,
    );
    const members = shown.map((index) => this.member(node, index, memberPath(path, node.keys[index])));
    const whole = `{${members.join(this.comma)}}`;
    const isShort = node.end - node.start <= MAX_ENTRIES_CHARS;
    const entries =
      this.rowDepth === 0 && isShort && isDictionary(node, MIN_ROWS) ? this.entries(node) : undefined;
    return entries !== undefined && entries.length < whole.length * MAX_ENTRIES_SHARE ? entries : whole;
  }

  /** A short dictionary: all entries, without what most of them have. */
  private entries({ items, keys }: JsonObjectSpan): string | undefined {
    this.cuts++;
    this.rowDepth++;
    const selection = selectRows(items.length, jsonColumns(items, () => this.text, keys).columns);
    const lines = this.lines(items, { ...selection, kept: [...items.keys()] }, keys);
    this.rowDepth--;
    return lines && ['{', ...lines.head, ...items.map((_, row) => lines.render(row)), '}'].join('\n');
  }

  private member(node: JsonObjectSpan, index: number, path = ''): string {
    const item = node.items[index];
    return `"${node.keys[index] ?? ''}"${this.colon}${item ? this.render(item, path) : ''}`;
  }

  private array({ items, start, end }: JsonArraySpan, path: string): string {
    const isPlain = items.every(({ kind }) => kind !== 'object' && kind !== 'array');
    const isShort = items.length < MIN_ROWS || (isPlain && end - start <= MAX_PLAIN_LIST);
    if (this.rowDepth === 0 && isShort && areLarge({ items, start, end })) {
      return this.fewLarge(items);
    }
    const areSettings = !isShort && this.areSettings({ items, start, end });
    if (isShort || areSettings) {
      const outer = this.inSettings;
      this.inSettings ||= areSettings;
      const rendered = items.map((item) => this.render(item, `${path}[]`));
      this.inSettings = outer;
      return `[${rendered.join(this.comma)}]`;
    }
    return this.rows(items, '[', ']', (row) =>
      this.renderAt(items, row, this.rowDepth > 1 ? `${path}[]` : ''),
    );
  }

  /**
   * Whether the items are settings of one inspected object, such as its environment, mounts and ports: each says
   * something of its own. Rows are what most of a text consists of.
   */
  private areSettings({ items, start, end }: Pick<JsonArraySpan, 'items' | 'start' | 'end'>): boolean {
    const areSettings =
      this.rowDepth === 0 &&
      items.length <= MAX_SETTINGS &&
      end - start <= Math.min(MAX_SETTINGS_CHARS, this.text.length * MAX_SETTINGS_SHARE) &&
      items.every((item) => isSetting(item));
    // Without its indentation, the object is shorter even if nothing is left out.
    this.cuts += areSettings ? 1 : 0;
    return areSettings;
  }

  /** A few large objects, of which all but the first leave out what is as in the first. */
  private fewLarge(items: readonly JsonSpan[]): string {
    const common = new CommonMembers(this.text, items);
    const outer = this.leftOut;
    const rows = items.map((item, row) => {
      this.leftOut = row === 0 ? undefined : common;
      return this.render(item).replace(LONG_HASH, (hash) => `${hash.slice(0, HASH_CHARS)}…`);
    });
    this.leftOut = outer;
    this.cuts++;
    return [
      '[',
      rows.join(`${this.comma.trim()}\n`),
      `[${quantity(items.length, 'rows')} in all; ${COMMON_NOTE}]`,
      ']',
    ].join('\n');
  }

  private renderAt(items: readonly JsonSpan[], row: number, path: string): string {
    const item = items[row];
    return item ? this.render(item, path) : '';
  }

  private rows(
    items: readonly JsonSpan[],
    open: string,
    close: string,
    render: (row: number) => string,
    keys?: readonly string[],
  ): string {
    const outer = this.leftOut;
    this.cuts++;
    this.rowDepth++;
    const found = jsonColumns(items, () => this.text, keys);
    const selection = selectRows(items.length, found.columns, found.items);
    // The columns of the outermost array include those of the inner ones, which need no statistics of their own.
    const lines =
      this.rowDepth > 1
        ? withGaps(items.length, selection.kept, render, 'rows')
        : renderRows(items.length, selection, render, {
            brief: this.briefly(selection, render),
            lines: () => this.lines(items, selection, keys),
          });
    this.leftOut = outer;
    this.rowDepth--;
    return [open, ...lines, close].join('\n');
  }

  /** All rows as lines of values; undefined if they are no objects. */
  private lines(
    items: readonly JsonSpan[],
    { kept, profiles }: Pick<RowSelection, 'kept' | 'profiles'>,
    keys?: readonly string[],
  ): RowLines | undefined {
    const shown = new Set(kept);
    // What the items of inner arrays have in common; what the rows have is found cell by cell.
    const common = profiles.filter(({ kind, name }) => kind === 'constant' && name.includes('[].'));
    this.leftOut = new LeftOutMembers(
      profiles.filter(({ kind, name }) => kind === 'constant' && name.includes('[]')).map(({ name }) => name),
    );
    const columns = rowCells(items, (node, _row, path) => this.render(node, path), keys);
    this.leftOut = undefined;
    const named = (name: string, value: string): string => `"${name}"${this.colon}${value}`;
    const areWanted = columns !== undefined && areFoundTexts(items.length, columns);
    const isKept = (row: number): boolean => areWanted || shown.has(row);
    const form = { comma: this.comma, named, namesCodes: keys === undefined, isKept };
    const lines = columns && { ...rowLines(columns, form), areWanted };
    const told = common
      .filter(({ name }) => !columns?.has(name))
      .map(({ name, summary }) => named(name, summary));
    return lines && told.length > 0
      ? { ...lines, head: [...lines.head, `[in all rows ${told.join(this.comma)}]`] }
      : lines;
  }

  /** Renders rows without the members that all of them have with the same value; undefined if there are hardly any. */
  private briefly(
    { profiles }: RowSelection,
    render: (row: number) => string,
  ): ((row: number) => string) | undefined {
    const constant = profiles.filter(({ kind }) => kind === 'constant').map(({ name }) => name);
    return constant.length < MIN_CONSTANT
      ? undefined
      : (row) => {
          this.leftOut = new LeftOutMembers(constant);
          const shown = render(row);
          this.leftOut = undefined;
          return shown;
        };
  }
}
