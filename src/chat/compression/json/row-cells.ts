import { shorten } from '../kit/gap.js';
import { type Columns } from '../rows/column-cells.js';
import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';
import { memberPath } from './left-out-members.js';

/** Columns above which values without their names can hardly be told apart. */
const MAX_COLUMNS = 60;

/** Share of the rows that must have an object as a member for its members to be columns. */
const MIN_OBJECTS = 0.6;

/** Characters of a text in a row that does not stand out. */
const MAX_TEXT = 120;

/** A value of each row, undefined where a row has none. */
type Values = readonly (JsonSpan | undefined)[];

type RenderCell = (node: JsonSpan, row: number, path: string) => string;

/**
 * The members of rows of objects, as they are written, those of nested objects by their paths.
 * @param render writes a value
 * @param isKept whether a row stands out, so that its texts are shown
 * @param keys of the rows, if they are entries of a dictionary
 * @returns undefined if the rows are no objects, or have too many different members
 */
export function rowCells(
  rows: readonly JsonSpan[],
  render: RenderCell,
  isKept: (row: number) => boolean,
  keys?: readonly string[],
): Columns | undefined {
  if (rows.some(({ kind }) => kind !== 'object')) {
    return undefined;
  }
  const cells = new RowCells(render, isKept);
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
  private readonly isKept: (row: number) => boolean;

  constructor(render: RenderCell, isKept: (row: number) => boolean) {
    this.render = render;
    this.isKept = isKept;
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
    const cells = nodes.map((node, row) => {
      const cell = node && this.render(node, row, path);
      return node && isText(node) && !this.isKept(row) ? shorten(cell ?? '', MAX_TEXT, 20) : cell;
    });
    this.columns.set(path, cells);
  }
}

function areMostly(nodes: Values): boolean {
  return nodes.filter(Boolean).length >= nodes.length * MIN_OBJECTS;
}

function filledObject(node: JsonSpan | undefined): JsonObjectSpan | undefined {
  return node?.kind === 'object' && node.items.length > 0 ? node : undefined;
}

/** Whether a value is a text or a list of texts: of objects, the renderer has already left out what it could. */
function isText(node: JsonSpan): boolean {
  return (
    node.kind === 'string' || (node.kind === 'array' && node.items.every(({ kind }) => kind === 'string'))
  );
}

/** The item of a list of one. */
function onlyItem(node: JsonSpan | undefined): JsonSpan | undefined {
  return node?.kind === 'array' && node.items.length === 1 ? node.items[0] : undefined;
}
