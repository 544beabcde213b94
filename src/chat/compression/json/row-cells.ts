import { shorten } from '../kit/gap.js';
import { type Columns } from '../rows/column-cells.js';
import { type JsonSpan } from './json-reader.js';
import { memberPath } from './left-out-members.js';

/** Columns above which values without their names can hardly be told apart. */
const MAX_COLUMNS = 60;

/** Share of the rows that must have an object as a member for its members to be columns. */
const MIN_OBJECTS = 0.6;

/** Characters of a text in a row that does not stand out. */
const MAX_TEXT = 120;

/**
 * The members of rows of objects, as they are written, those of nested objects by their paths.
 * @param render writes a value
 * @param isKept whether a row stands out, so that its texts are shown
 * @param keys of the rows, if they are entries of a dictionary
 * @returns undefined if the rows are no objects, or have too many different members
 */
export function rowCells(
  rows: readonly JsonSpan[],
  render: (node: JsonSpan, row: number, path: string) => string,
  isKept: (row: number) => boolean,
  keys?: readonly string[],
): Columns | undefined {
  if (rows.some(({ kind }) => kind !== 'object')) {
    return undefined;
  }
  const columns = new Map<string, (string | undefined)[]>();
  const put = (nodes: readonly (JsonSpan | undefined)[], path: string): void => {
    const only = nodes.map(onlyItem);
    if (only.filter((item) => item?.kind === 'object').length >= rows.length * MIN_OBJECTS) {
      put(only, `${path}[]`);
      putOthers(
        nodes.map((node, row) => (only[row] ? undefined : node)),
        path,
      );
      return;
    }
    const objects = nodes.map((node) =>
      node?.kind === 'object' && node.items.length > 0 ? node : undefined,
    );
    if (objects.filter(Boolean).length < rows.length * MIN_OBJECTS) {
      const cells = nodes.map((node, row) => {
        const cell = node && render(node, row, path);
        // Texts only: of other values, the renderer has already left out what it could.
        return node?.kind === 'string' && !isKept(row) ? shorten(cell ?? '', MAX_TEXT, 20) : cell;
      });
      columns.set(path, cells);
      return;
    }
    const names = new Set(objects.flatMap((object) => object?.keys ?? []));
    if (columns.size + names.size > MAX_COLUMNS) {
      columns.set(
        path,
        nodes.map((node, row) => node && render(node, row, path)),
      );
      return;
    }
    putOthers(
      nodes.map((node, row) => (objects[row] ? undefined : node)),
      path,
    );
    for (const name of names) {
      put(
        objects.map((object) => object?.items[object.keys.indexOf(name)]),
        memberPath(path, name),
      );
    }
  };
  const putOthers = (nodes: readonly (JsonSpan | undefined)[], path: string): void => {
    if (nodes.some(Boolean)) {
      columns.set(
        path,
        nodes.map((node, row) => node && render(node, row, path)),
      );
    }
  };
  if (keys) {
    columns.set(
      'key',
      keys.map((key) => `"${key}"`),
    );
  }
  put(rows, '');
  return columns.has('') ? undefined : columns;
}

/** The item of a list of one. */
function onlyItem(node: JsonSpan | undefined): JsonSpan | undefined {
  return node?.kind === 'array' && node.items.length === 1 ? node.items[0] : undefined;
}
