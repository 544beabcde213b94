import { type Columns } from '../rows/column-cells.js';
import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';
import { memberPath } from './left-out-members.js';

/** Columns above which values without their names can hardly be told apart. */
const MAX_COLUMNS = 60;

/** Share of the rows that must have an object as a member for its members to be columns. */
const MIN_OBJECTS = 0.6;

/** A value of each row, undefined where a row has none. */
type Values = readonly (JsonSpan | undefined)[];

type RenderCell = (node: JsonSpan, row: number, path: string) => string;

/**
 * The members of rows of objects, as they are written, those of nested objects by their paths.
 * @param render writes a value
 * @param keys of the rows, if they are entries of a dictionary
 * @returns undefined if the rows are no objects, or have too many different members
 */
export function rowCells(
  rows: readonly JsonSpan[],
  render: RenderCell,
  keys?: readonly string[],
): Columns | undefined {
  if (rows.some(({ kind }) => kind !== 'object')) {
    return undefined;
  }
  const cells = new RowCells(render);
  if (keys) {
    cells.columns.set(
      'key',
      keys.map((key) => `"${key}"`),
    );
  }
  cells.put(rows, '');
  return cells.columns.has('') ? undefined : cells.columns;
}

/** Columns that are filled member by member. */
class RowCells {
  readonly columns = new Map<string, readonly (string | undefined)[]>();

  private readonly render: RenderCell;

  constructor(render: RenderCell) {
    this.render = render;
  }

  put(nodes: Values, path: string): void {
    const items = nodes.map(onlyItem);
    const objects = nodes.map(filledObject);
    const names = new Set(objects.flatMap((object) => object?.keys ?? []));
    if (areMostly(items.map(filledObject))) {
      this.put(items, `${path}[]`);
      this.putOthers(nodes, items, path);
    } else if (areMostly(objects) && this.columns.size + names.size <= MAX_COLUMNS) {
      this.putOthers(nodes, objects, path);
      for (const name of names) {
        const members = objects.map((object) => object?.items[object.keys.indexOf(name)]);
        this.put(members, memberPath(path, name));
      }
    } else {
      this.putColumn(nodes, path);
    }
  }

  /** Values in rows that have something else than most. */
  private putOthers(nodes: Values, most: Values, path: string): void {
    const others = nodes.map((node, row) => (most[row] ? undefined : node));
    if (others.some(Boolean)) {
      this.putColumn(others, path);
    }
  }

  private putColumn(nodes: Values, path: string): void {
    this.columns.set(
      path,
      nodes.map((node, row) => node && this.render(node, row, path)),
    );
  }
}

function areMostly(nodes: Values): boolean {
  return nodes.filter(Boolean).length >= nodes.length * MIN_OBJECTS;
}

function filledObject(node: JsonSpan | undefined): JsonObjectSpan | undefined {
  return node?.kind === 'object' && node.items.length > 0 ? node : undefined;
}

/** The item of a list of one. */
function onlyItem(node: JsonSpan | undefined): JsonSpan | undefined {
  return node?.kind === 'array' && node.items.length === 1 ? node.items[0] : undefined;
}
