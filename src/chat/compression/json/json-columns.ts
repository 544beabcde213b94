import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { cellNumber } from '../rows/cell-values.js';
import { appendCell, columnOf, type Columns } from '../rows/column-cells.js';
import { type JsonArraySpan, type JsonObjectSpan, type JsonSpan } from './json-reader.js';

/** Depth beyond which values do not become columns. */
const MAX_DEPTH = 6;

/**
 * Columns that rows can have: with more different keys they are dictionaries, not rows. The limit falls with the number
 * of rows, since every column has a cell for every row, but not below eight.
 */
const MAX_COLUMNS = 400;
const MIN_COLUMNS = 8;
const MAX_CELLS = 3_000_000;

/** Name of the column that lists the keys beyond that limit. */
const FURTHER = 'further keys';

/** Places of an inner row, such as time and value, whose largest number becomes a column. */
const MAX_PLACES = 4;

/** Numbers of an inner array up to which each is a cell: coordinates, bounds. */
const MAX_NUMBERS = 4;

/** Items of an array that is a row itself, up to which each is a cell: rows of a query or of a sheet. */
const MAX_ROW_ITEMS = 32;

/** Part of the name of a column that has a value for each item of an inner array, not for each row. */
const OF_ITEMS = '[].';

/** Items of a list of words up to which each is a cell, and the longest of them. */
const MAX_WORDS = 8;
const MAX_WORD_CHARS = 40;

/** Longest number that is compared. */
const MAX_NUMBER_CHARS = 40;

/** Share of entries of one kind, and of keys that look like ids, in a dictionary. */
const MIN_UNIFORM = 0.7;
const MIN_ID_KEYS = 0.6;

/** The columns of rows, and of those with values of the items of inner arrays all these values. */
interface JsonColumns {
  readonly columns: Columns;
  readonly items: ReadonlyMap<string, readonly string[]>;
}

/**
 * The columns of rows: `user.name` for nested objects, `tags[]` for the length of an inner array, `tags[].name` for the
 * different names in it.
 * @param textOf the text that contains a row's span
 * @param keys of the rows, if they are entries of a dictionary
 */
export function jsonColumns(
  rows: readonly (JsonSpan | undefined)[],
  textOf: (row: number) => string,
  keys: readonly string[] = [],
): JsonColumns {
  const table = new ColumnTable(rows.length);
  keys.forEach((key, row) => table.put('key', row, key));
  rows.forEach((node, row) => {
    if (node) {
      putSpan(table, node, { row, text: textOf(row) });
    } else {
      table.put('no JSON', row, textOf(row));
    }
  });
  return table;
}

/** Columns that are filled cell by cell. */
class ColumnTable {
  readonly columns = new Map<string, (string | undefined)[]>();
  /** Values of items by column. */
  readonly items = new Map<string, string[]>();
  private readonly maxColumns: number;

  private readonly rows: number;

  constructor(rows: number) {
    this.rows = rows;
    this.maxColumns = Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, Math.floor(MAX_CELLS / rows)));
  }

  /** A second cell of the same row and column is appended to the first, unless it says the same. */
  put(name: string, row: number, cell: string): void {
    if (!this.columns.has(name) && this.columns.size >= this.maxColumns && name !== FURTHER) {
      this.put(FURTHER, row, name);
      return;
    }
    if (name.includes(OF_ITEMS)) {
      getOrInsert(this.items, name, () => []).push(cell);
    }
    appendCell(columnOf(this.columns, name, this.rows), row, cell);
  }
}

/** Puts a value and all within it into the columns. */
function putSpan(
  table: ColumnTable,
  node: JsonSpan,
  at: { readonly row: number; readonly text: string },
  name = '',
  depth = 0,
): void {
  if (node.kind === 'object' && node.items.length > 0 && depth < MAX_DEPTH) {
    const prefix = name === '' ? '' : `${name}.`;
    node.items.forEach((item, index) =>
      putSpan(table, item, at, prefix + (node.keys[index] ?? ''), depth + 1),
    );
  } else if (node.kind === 'array' && name === '' && node.items.length <= MAX_ROW_ITEMS) {
    table.put('items', at.row, String(node.items.length));
    node.items.forEach((item, index) => putSpan(table, item, at, `[${index}]`, depth + 1));
  } else if (node.kind === 'array') {
    table.put(`${name}[]`, at.row, String(node.items.length));
    const pairs = pairsOf(node, at.text) ?? assignmentsOf(node, at.text);
    if (pairs) {
      pairs.forEach(([key, value]) => putSpan(table, value, at, `${name}[${key}]`, depth + 1));
    } else if (hasPlaces(node)) {
      node.items.forEach((item, index) => putSpan(table, item, at, `${name}[${index}]`, depth + 1));
    } else {
      node.items
        .filter(({ kind }) => kind === 'object')
        .forEach((item) => putSpan(table, item, at, `${name}[]`, depth + 1));
      putWords(table, node.items, at, `${name}[].item`);
      putLargest(table, node.items, at, `largest ${name}[]`);
    }
  } else {
    table.put(name === '' ? 'value' : name, at.row, at.text.slice(node.start, node.end));
  }
}

/** Names of the members of a pair, in small letters. */
const PAIR_KEYS = ['key', 'name'];
const PAIR_VALUES = ['value', 'stringvalue'];

/** Keys and values of an array of pairs, `{"Key": "env", "Value": "prod"}`; undefined for other arrays. */
function pairsOf({ items }: JsonArraySpan, text: string): [string, JsonSpan][] | undefined {
  const pairs = items.map((item): [string, JsonSpan] | undefined => {
    if (item.kind !== 'object' || item.items.length !== 2) {
      return undefined;
    }
    const at = item.keys.findIndex((key) => PAIR_KEYS.includes(key.toLowerCase()));
    const [key, value] = [item.items[at], item.items[1 - at]];
    const isPair = PAIR_VALUES.includes((item.keys[1 - at] ?? '').toLowerCase());
    return key?.kind === 'string' && value && isPair
      ? [text.slice(key.start + 1, key.end - 1), value]
      : undefined;
  });
  return pairs.length > 0 && pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

/** Names and values of settings, `"PORT=80"`; undefined for other arrays. */
function assignmentsOf({ items }: JsonArraySpan, text: string): [string, JsonSpan][] | undefined {
  const names = items.map(({ kind, start, end }) =>
    kind === 'string'
      ? /^"([A-Za-z_][\w.-]{0,60})=/.exec(text.slice(start, Math.min(end, start + 64)))?.[1]
      : undefined,
  );
  const isComplete = names.length > 0 && names.every((name) => name !== undefined);
  return isComplete ? items.map((item, index) => [names[index] ?? '', { ...item, kind: 'word' }]) : undefined;
}

/** Puts the items of a short list of words, such as labels: one that hardly any row has makes that row unusual. */
function putWords(
  table: ColumnTable,
  items: readonly JsonSpan[],
  { row, text }: { readonly row: number; readonly text: string },
  name: string,
): void {
  const isWord = ({ kind, start, end }: JsonSpan): boolean =>
    kind === 'string' && end - start <= MAX_WORD_CHARS;
  if (items.length <= MAX_WORDS && items.every(isWord)) {
    items.forEach(({ start, end }) => table.put(name, row, text.slice(start, end)));
  }
}

/** Whether the place of an item says what it is: coordinates, cells of a row in objects with one member each. */
function hasPlaces({ items }: JsonArraySpan): boolean {
  return (
    (items.length <= MAX_NUMBERS && items.every(({ kind }) => kind === 'number')) ||
    (items.length <= MAX_ROW_ITEMS && items.every((item) => item.kind === 'object' && item.keys.length === 1))
  );
}

/** Puts the largest of many numbers, and of many rows of numbers the largest at each place. */
function putLargest(
  table: ColumnTable,
  items: readonly JsonSpan[],
  { row, text }: { readonly row: number; readonly text: string },
  name: string,
): void {
  const largest = new Map<string, { amount: number; cell: string }>();
  const compare = ({ kind, start, end }: JsonSpan, of: string): void => {
    const isScalar = (kind === 'number' || kind === 'string') && end - start < MAX_NUMBER_CHARS;
    const cell = isScalar ? text.slice(start, end) : '';
    const amount = kind === 'number' ? Number(cell) : cellNumber(cell);
    if (amount !== undefined && amount > (largest.get(of)?.amount ?? -Infinity)) {
      largest.set(of, { amount, cell });
    }
  };
  for (const item of items) {
    if (item.kind === 'array') {
      item.items.slice(0, MAX_PLACES).forEach((value, place) => compare(value, `${name}[${place}]`));
    } else if (item.kind !== 'object') {
      compare(item, name);
    }
  }
  largest.forEach(({ cell }, of) => table.put(of, row, cell));
}

/** Whether an object is a dictionary of similar entries (by id, version or path) and not one record with fields. */
export function isDictionary(node: JsonObjectSpan, minEntries: number): boolean {
  if (node.items.length < minEntries) {
    return false;
  }
  const kinds = new Map<string, number>();
  for (const item of node.items) {
    const kind = item.kind === 'object' ? `{${item.keys.slice(0, 2).join(',')}}` : item.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const isUniform = [...kinds.values()].some((count) => count >= node.items.length * MIN_UNIFORM);
  const idKeys = node.keys.filter((key) => /[\d/@.:-]/.test(key)).length;
  return isUniform && idKeys >= node.keys.length * MIN_ID_KEYS;
}
