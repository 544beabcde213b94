import { shorten } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { type Columns, MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';
import { findTable, type TextTable } from './text-table.js';

const MAX_LINE = 600;

/** Share of the lines that the table must make up. */
const MIN_SHARE = 0.7;

/**
 * Tables for people: Markdown, drawn by databases, and aligned columns (`ps`, `docker ps`, `kubectl get`). Padding
 * becomes two blanks.
 */
export const tableStrategy: Strategy = {
  rule: 'table',
  condense: (text) => {
    const lines = text.split('\n');
    const table = findTable(lines);
    if (!table || table.rows.length < MIN_ROWS || table.rows.length < lines.length * MIN_SHARE - 4) {
      return undefined;
    }
    return [
      ...table.before.map((line) => squeezed(line, table)),
      ...condenseRows(table),
      ...table.after.map((line) => squeezed(line, table)),
    ].join('\n');
  },
};

function condenseRows(table: TextTable): string[] {
  const { names, rows } = table;
  const columns: Columns = new Map(names.map((name, index) => [name, rows.map(({ cells }) => cells[index])]));
  const selection = selectRows(rows.length, columns);
  return renderRows(rows.length, selection, (row) =>
    shorten(squeezed(rows[row]?.line ?? '', table), MAX_LINE, 60),
  );
}

function squeezed(line: string, { isDrawn }: TextTable): string {
  const single = line.trimEnd().replace(/ {3,}/g, '  ');
  // The length of a ruler says nothing.
  return isDrawn ? single.replace(/([-=─━]){4,}/g, '$1$1$1') : single;
}
