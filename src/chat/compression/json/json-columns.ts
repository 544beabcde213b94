import { type Columns } from '../rows/row-selection.js';
import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';

/** Deeper values do not become columns. */
const MAX_DEPTH = 4;

/** Rows of more different keys than this are dictionaries, not rows; fewer in tables that are very long. */
const MAX_COLUMNS = 400;
const MIN_COLUMNS = 8;
const MAX_CELLS = 3_000_000;

/** Where keys beyond that are told, as the cells of a column of their own. */
const FURTHER = 'further keys';

/** Items of an inner array that are looked at. */
const INNER_ITEMS = 4;

/**
 * The columns of rows: `user.name` for nested objects, `tags[]` for an inner array's length.
 * @param textOf the text that a row's node is a place in
 */
export function jsonColumns(
  rows: readonly (JsonSpan | undefined)[],
  textOf: (row: number) => string,
): Columns {
  const columns = new Map<string, (string | undefined)[]>();
  const most = Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, Math.floor(MAX_CELLS / rows.length)));
  const put = (name: string, row: number, cell: string): void => {
    let column = columns.get(name);
    if (!column) {
      if (columns.size >= most && name !== FURTHER) {
        put(FURTHER, row, name);
        return;
      }
      column = Array.from<string | undefined>({ length: rows.length });
      columns.set(name, column);
    }
    const before = column[row];
    column[row] = before === undefined ? cell : `${before} ${cell}`;
  };
  const walk = (node: JsonSpan, row: number, name: string, depth: number): void => {
    if (node.kind === 'object' && node.items.length > 0 && depth < MAX_DEPTH) {
      const prefix = name === '' ? '' : `${name}.`;
      node.items.forEach((item, index) => walk(item, row, prefix + (node.keys[index] ?? ''), depth + 1));
    } else if (node.kind === 'array') {
      put(`${name}[]`, row, String(node.items.length));
      for (const item of node.items.slice(0, INNER_ITEMS)) {
        if (item.kind === 'object') {
          walk(item, row, `${name}[]`, depth + 1);
        }
      }
    } else {
      const end = Math.min(node.end, node.start + 400);
      put(name === '' ? 'value' : name, row, textOf(row).slice(node.start, end));
    }
  };
  rows.forEach((node, row) => {
    if (node) {
      walk(node, row, '', 0);
    } else {
      put('no JSON', row, textOf(row));
    }
  });
  return columns;
}

/** Whether an object is a dictionary of like things (by id, version or path) and not one thing with fields. */
export function isDictionary(node: JsonObjectSpan, minEntries: number): boolean {
  if (node.items.length < minEntries) {
    return false;
  }
  const kinds = new Map<string, number>();
  for (const item of node.items) {
    const kind = item.kind === 'object' ? `{${item.keys.slice(0, 2).join(',')}}` : item.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const isUniform = [...kinds.values()].some((count) => count >= node.items.length * 0.7);
  const idKeys = node.keys.filter((key) => /[\d/@.:-]/.test(key)).length;
  return isUniform && idKeys >= node.keys.length * 0.6;
}
