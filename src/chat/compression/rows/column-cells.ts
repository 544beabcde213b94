import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { cellNumber, cellTime, isEmpty, type Quantity } from './cell-values.js';

/** Cells by name of column. Each column has one for every row of the table, undefined where the row has none. */
export type Columns = ReadonlyMap<string, readonly (string | undefined)[]>;

/** Length of a cell from which on nothing is appended to it. */
const MAX_CELL_CHARS = 400;

/** The column of a name among those that are being filled, without cells at first. */
export function columnOf(
  columns: Map<string, (string | undefined)[]>,
  name: string,
  rows: number,
): (string | undefined)[] {
  return getOrInsert(columns, name, () => Array.from<string | undefined>({ length: rows }));
}

/** Appends a cell to what its row has in the column, unless it says the same. */
export function appendCell(column: (string | undefined)[], row: number, cell: string): void {
  const before = column[row];
  if (before === undefined) {
    column[row] = cell;
  } else if (before.length < MAX_CELL_CHARS && !` ${before} `.includes(` ${cell} `)) {
    column[row] = `${before} ${cell}`;
  }
}

/** Adds one of several values of a row to those that it has in the column already. */
export function listCell(column: (string | undefined)[], row: number, value: string): void {
  column[row] = column[row] === undefined ? value : `${column[row]}, ${value}`;
}

/** Fewer numbers than this make no range. */
const MIN_QUANTITIES = 3;

/** Share of the filled cells that must be numbers, or times, for the column to be one of them. */
const MIN_QUANTITY_SHARE = 0.9;

/** Numbers or times of a column, and the few filled cells that are neither. */
export interface ColumnQuantities {
  /** Ascending. */
  readonly sorted: readonly Quantity[];
  /** Rows by value. */
  readonly others: ReadonlyMap<string, readonly number[]>;
}

/** The cells of one column, sorted by value and by whether there is one. */
export class ColumnCells {
  /** Rows by value, values in the order in which they appear. */
  readonly rowsByValue: ReadonlyMap<string, number[]>;
  /** Rows with a value. */
  readonly filled: number[] = [];
  /** Rows without the cell. */
  readonly missing: number[] = [];
  /** Rows whose cell says that there is nothing, such as `null` or `-`. */
  readonly empty: number[] = [];

  private readonly cells: readonly (string | undefined)[];

  /** @param cells the cells of all rows, undefined where a row has none */
  constructor(cells: readonly (string | undefined)[]) {
    this.cells = cells;
    cells.forEach((cell, row) => this.listOf(cell).push(row));
    const present = [...cells.keys()].filter((row) => cells[row] !== undefined);
    this.rowsByValue = Map.groupBy(present, (row) => this.value(row));
  }

  /** Number of rows. */
  get total(): number {
    return this.cells.length;
  }

  /** A row's cell; empty if it has none. */
  value(row: number): string {
    return this.cells[row] ?? '';
  }

  /** Length of a row's cell in characters, 0 if it has none. */
  size(row: number): number {
    return this.cells[row]?.length ?? 0;
  }

  /** Filled rows by something that is read from their values. */
  groupFilled(read: (value: string) => string): number[][] {
    return [...Map.groupBy(this.filled, (row) => read(this.value(row))).values()];
  }

  /** The column's cells as numbers, or else as times; undefined if it is a column of neither. */
  quantities(): ColumnQuantities | undefined {
    for (const read of [cellNumber, cellTime]) {
      const found = this.filled.flatMap((row) => {
        const amount = read(this.value(row));
        return amount === undefined ? [] : [{ row, amount }];
      });
      if (found.length >= MIN_QUANTITIES && found.length >= this.filled.length * MIN_QUANTITY_SHARE) {
        const numeric = new Set(found.map(({ row }) => row));
        const others = Map.groupBy(
          this.filled.filter((row) => !numeric.has(row)),
          (row) => this.value(row),
        );
        return { sorted: found.sort((a, b) => a.amount - b.amount), others };
      }
    }
    return undefined;
  }

  private listOf(cell: string | undefined): number[] {
    if (cell === undefined) {
      return this.missing;
    }
    return isEmpty(cell) ? this.empty : this.filled;
  }
}
