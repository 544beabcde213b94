import { type Columns } from '../rows/column-cells.js';
import { renderRows, selectRows } from '../rows/row-selection.js';

/** Condenses a table of lines `| a | b |`, of which the first names the columns. */
export function condenseCells(lines: readonly string[]): string[] {
  const [header = '', ...rows] = lines;
  const names = cellsOf(header).map((name, index) => name || `column ${index + 1}`);
  const cells = rows.map((row) => cellsOf(row));
  const columns: Columns = new Map(names.map((name, index) => [name, cells.map((row) => row[index])]));
  return [header, ...renderRows(rows.length, selectRows(rows.length, columns), (row) => rows[row] ?? '')];
}

/**
 * Cells of a line with drawn borders; empty for other lines.
 * @param borders ends of the line that have a border if nothing stands behind the last bar there
 */
export function cellsOf(line: string, borders = { left: true, right: true }): string[] {
  if (!/[|│┃]/.test(line)) {
    return [];
  }
  const cells = line.split(/[|│┃]/).map((cell) => cell.trim());
  return cells.slice(
    borders.left && cells[0] === '' ? 1 : 0,
    borders.right && cells.at(-1) === '' ? -1 : undefined,
  );
}
