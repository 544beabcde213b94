import { shorten } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { type Columns } from '../rows/column-cells.js';
import { rowLines, TABLE_LINES } from '../rows/row-lines.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';
import { findAlignedTable } from './aligned-table.js';
import { findDrawnTable } from './drawn-table.js';
import { type TextTable } from './text-table.js';

const MAX_LINE = 600;

/** Share of the rows whose cells must be certain. */
const MIN_READ = 0.8;

/** Rows with other columns that are shown. */
const MAX_OTHERS = 80;

/** Tables in one text. */
const MAX_TABLES = 30;

/** Share of the lines that the table must make up. */
const MIN_SHARE = 0.7;

/**
 * Tables for people: Markdown, drawn by databases, and aligned columns (`ps`, `docker ps`, `kubectl get`).
 */
export const tableStrategy: Strategy = {
  rule: 'table',
  condense: (text) => condenseTable(text) ?? condenseTables(text),
};

function condenseTable(text: string): string | undefined {
  const lines = text.split('\n');
  const table = findDrawnTable(lines) ?? findAlignedTable(lines);
  if (!table || table.rows.length < MIN_ROWS || table.rows.length < lines.length * MIN_SHARE - 4) {
    return undefined;
  }
  const { rows, before, after } = table;
  if (rows.filter(({ cells }) => cells).length < rows.length * MIN_READ) {
    return undefined;
  }
  const squeeze = squeezeOf(table);
  return [...before.map(squeeze), ...condenseRows(table, squeeze), ...after.map(squeeze)].join('\n');
}

/** Several tables with blank lines between them (`kubectl get all`); short ones among them stay as they are. */
function condenseTables(text: string): string | undefined {
  const parts = text.split(/\n[ \t\r]{0,20}(?:\n[ \t\r]{0,20}){1,20}/);
  if (parts.length < 2 || parts.length > MAX_TABLES) {
    return undefined;
  }
  const condensed = parts.map((part) => condenseTable(part));
  const taken = parts.filter((_, at) => condensed[at] !== undefined).join('').length;
  return taken < text.length * MIN_SHARE
    ? undefined
    : parts.map((part, at) => condensed[at] ?? part.trimEnd()).join('\n\n');
}

type Squeeze = (line: string) => string;

/** Rows whose cells are uncertain say nothing about the columns, and are shown. */
function condenseRows({ names, rows }: TextTable, squeeze: Squeeze): string[] {
  const read = [...rows.keys()].filter((row) => rows[row]?.cells);
  const others = [...rows.keys()].filter((row) => !rows[row]?.cells);
  const columns: Columns = new Map(
    names.map((name, index) => [name, read.map((row) => rows[row]?.cells?.[index])]),
  );
  const { pairs, ...selection } = selectRows(read.length, columns);
  const kept = [...selection.kept.map((at) => read[at] ?? 0), ...others.slice(0, MAX_OTHERS)];
  const note = others.length > 0 ? `, ${others.length} of them not in these columns` : '';
  return renderRows(
    rows.length,
    {
      ...selection,
      ...(others.length === 0 && pairs !== undefined && { pairs }),
      kept: kept.sort((a, b) => a - b),
    },
    (row) => shorten(squeeze(rows[row]?.line ?? ''), MAX_LINE, 60),
    { note, lines: () => (others.length > 0 ? undefined : rowLines(columns, TABLE_LINES)) },
  );
}

/** Padding becomes two blanks, unless it shows where a cell is empty. The length of a ruler says nothing. */
function squeezeOf({ isDrawn, rows }: TextTable): Squeeze {
  const isPadded = !isDrawn && rows.some(({ cells }) => cells?.includes(''));
  return (line) => {
    const text = isPadded ? line.trimEnd() : line.trimEnd().replace(/ {3,}/g, '  ');
    return isDrawn ? text.replace(/([-=─━]){4,}/g, '$1$1$1') : text;
  };
}
