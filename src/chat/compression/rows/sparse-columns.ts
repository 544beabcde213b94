import { type Columns } from './column-cells.js';

/** Share of the rows up to which a column is sparse, but always one. */
const SPARSE_SHARE = 0.05;

/** Sparse columns above which they may be keys of dictionaries, and share of the rows that must have one of them then. */
const MANY_SPARSE = 20;
const SPREAD_SHARE = 0.25;

/**
 * Columns that hardly any row has, where there are many and most rows have some of their own: keys of dictionaries
 * within the rows, such as the dependencies of each dependency. That a row has one of these says nothing about the row.
 * Where a few rows have them all, these rows are the unusual ones.
 */
export function sparseColumns(total: number, columns: Columns): ReadonlySet<string> {
  const most = Math.max(1, total * SPARSE_SHARE);
  const rows = new Set<number>();
  const sparse: string[] = [];
  for (const [name, cells] of columns) {
    const filled = [...cells.keys()].filter((row) => cells[row] !== undefined);
    if (filled.length <= most) {
      sparse.push(name);
      filled.forEach((row) => rows.add(row));
    }
  }
  return new Set(sparse.length > MANY_SPARSE && rows.size > total * SPREAD_SHARE ? sparse : []);
}
