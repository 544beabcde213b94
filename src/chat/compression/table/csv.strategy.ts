import { shorten } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { type ToolUse } from '../kit/tool-use.js';
import { isFileList } from '../listing/file-list.js';
import { isTimed } from '../protection/source-looks.js';
import { endingOf, shapeOf } from '../rows/cell-values.js';
import { type Columns } from '../rows/column-cells.js';
import { rowLines, TABLE_LINES } from '../rows/row-lines.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';

/**
 * Number of columns from which on lines with a separator are a table; commas are common in sentences, and in the cells
 * of tables with tabs.
 */
const MIN_COLUMNS: Readonly<Record<string, number>> = { '\t': 2, ',': 3, ';': 3, '|': 3 };

const MAX_LINE = 1000;

/** Rows that are compared with a first line. */
const SAMPLE = 40;

/** Lines up to which a record with line breaks in quotes is read. */
const MAX_RECORD_LINES = 100;

/** Lines without a separator behind the rows, such as their number, up to which they are no rows. */
const MAX_FOOTER = 8;

/** Length from which on a cell that begins with a time is a line of a log, behind the names of a job and a step. */
const LOG_LINE = 32;

/** Programs that show the lines of those in front of them, and ones that print no table of their own. */
const PASSING = new Set([
  ...[
    'head',
    'tail',
    'cat',
    'less',
    'sort',
    'uniq',
    'grep',
    'egrep',
    'rg',
    'sed',
    'awk',
    'cut',
    'tr',
    'column',
  ],
  ...['echo', 'printf', 'true', 'date', 'git'],
]);

/** Delimited tables (CSV, TSV): the header, the first, the last and the unusual rows, and a summary of the columns. */
export const csvStrategy: Strategy = {
  rule: 'csv',
  condense: (text, { use }) => {
    if (isOfCommits(use)) {
      return undefined;
    }
    const lines = text.split('\n');
    const [first = '', ...others] = lines.filter((line) => !isBlank(line));
    if (others.length < MIN_ROWS || /^[ \t]*[[{(<]/.test(first)) {
      return undefined;
    }
    for (const delimiter of Object.keys(MIN_COLUMNS)) {
      const records = recordsOf(lines, delimiter, splitCells(first, delimiter).length);
      if (records.length > MIN_ROWS && isTable(records, delimiter)) {
        // A list of files is shown for their names, each of which is wanted.
        const isList = delimiter === '\t' && isFileList(records);
        return isList || isLog(records, delimiter) ? undefined : condenseTable(records, delimiter);
      }
    }
    return undefined;
  },
};

/**
 * Whether lines are commits in a format of the caller's (`--format='%h|%an|%s'`), which are read for their subjects: no
 * other program prints lines behind those of `git log`.
 */
function isOfCommits({ commands }: ToolUse): boolean {
  const at = commands.findLastIndex(({ program, args }) => program === 'git' && args.includes('log'));
  // Words behind a substitution are no programs.
  return at >= 0 && commands.slice(at).every(({ program }) => PASSING.has(program) || !/^\w/.test(program));
}

function isBlank(line: string): boolean {
  return line === '' || line === '\r';
}

/** The lines that hold something. Those between which a cell in quotes goes on are joined if this makes a whole record. */
function recordsOf(lines: readonly string[], delimiter: string, width: number): string[] {
  const isOdd = lines.map((line) => line.includes('"') && line.split('"').length % 2 === 0);
  const records: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const isOpen = isOdd[at] && splitCells(line, delimiter).at(-1)?.trimStart().startsWith('"');
    const end = isOpen ? isOdd.indexOf(true, at + 1) : -1;
    const whole = end < at + MAX_RECORD_LINES ? lines.slice(at, end + 1).join('\n') : '';
    if (whole !== '' && splitCells(whole, delimiter).length === width) {
      records.push(whole);
      at = end;
    } else if (!isBlank(line)) {
      records.push(line);
    }
  }
  return records;
}

/** Whether the last cells are lines of a log. */
function isLog(lines: readonly string[], delimiter: string): boolean {
  return lines.slice(0, SAMPLE).every((line) => {
    const cells = splitCells(line, delimiter);
    const last = cells.at(-1) ?? '';
    return cells.length > 1 && last.length > LOG_LINE && isTimed(last);
  });
}

function isTable(lines: readonly string[], delimiter: string): boolean {
  const width = splitCells(lines[0] ?? '', delimiter).length;
  if (width < (MIN_COLUMNS[delimiter] ?? 2)) {
    return false;
  }
  const step = Math.max(1, Math.floor(lines.length / 500));
  let seen = 0;
  let fitting = 0;
  for (let i = 0; i < lines.length; i += step) {
    seen++;
    fitting += splitCells(lines[i] ?? '', delimiter).length === width ? 1 : 0;
  }
  return fitting >= seen * 0.95 && lines.every((line) => !/^[ \t]{2}/.test(line));
}

function condenseTable(records: readonly string[], delimiter: string): string {
  const end = records.findLastIndex((record) => splitCells(record, delimiter).length > 1) + 1;
  const isFooter = end >= records.length - MAX_FOOTER;
  const lines = isFooter ? records.slice(0, end) : records;
  const [header = '', ...body] = lines;
  const first = splitCells(header, delimiter).map(unquoted);
  const cells = body.map((row) => splitCells(row, delimiter));
  const below = first.map((_, at) =>
    cells.map((row) => (row[at] === undefined ? undefined : unquoted(row[at]))),
  );
  const hasHeader = isHeader(first, below);
  const columns: Columns = new Map(
    below.map((column, at) =>
      hasHeader ? [first[at] || `column ${at + 1}`, column] : [`column ${at + 1}`, [first[at], ...column]],
    ),
  );
  const rows = hasHeader ? body : lines;
  const selection = selectRows(rows.length, columns);
  const shown = renderRows(rows.length, selection, (row) => shorten(rows[row] ?? '', MAX_LINE, 100), {
    lines: () => rowLines(columns, TABLE_LINES),
  });
  return [...(hasHeader ? [header] : []), ...shown, ...records.slice(lines.length)].join('\n');
}

/** A hash or a UUID, which is no name of a column. Periods such as `2024-01` are. */
const ID = /^(?:(?=.{0,63}\d)(?=.{0,63}[a-f])[0-9a-f]{7,64}|[0-9a-f-]{36,64})$/i;

/**
 * Whether names head the columns: they are neither numbers, times nor ids, and no name is one of several values below
 * it, or has their digits and slashes, or the extension of one of them.
 */
function isHeader(names: readonly string[], columns: readonly (readonly (string | undefined)[])[]): boolean {
  const isValue = (name: string, column: readonly (string | undefined)[] = []): boolean =>
    (name !== '' && column.includes(name) && column.some((cell) => cell !== name)) ||
    (/[\d/]/.test(name) && column.slice(0, SAMPLE).some((cell) => shapeOf(cell ?? '') === shapeOf(name))) ||
    (endingOf(name) !== '' && column.some((cell) => endingOf(cell ?? '') === endingOf(name)));
  return !names.some(
    (name, at) =>
      /^-?\d{1,20}(\.\d{1,20})?$/.test(name) || ID.test(name) || isTimed(name) || isValue(name, columns[at]),
  );
}

function unquoted(cell: string): string {
  const trimmed = cell.trim();
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const value = isQuoted ? trimmed.slice(1, -1) : trimmed;
  return value.includes('\n') ? lineOf(value) : value;
}

function lineOf(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

/** Cells of a line; a delimiter within quotes does not separate them. */
function splitCells(line: string, delimiter: string): string[] {
  if (!line.includes('"')) {
    return line.split(delimiter);
  }
  const cells: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '"') {
      isQuoted = !isQuoted;
    } else if (line[i] === delimiter && !isQuoted) {
      cells.push(line.slice(start, i));
      start = i + 1;
    }
  }
  cells.push(line.slice(start));
  return cells;
}
