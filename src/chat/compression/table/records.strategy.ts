import { indentOf } from '../kit/indent.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { type Columns } from '../rows/column-cells.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';

/** Line above a record: `-[ RECORD 3 ]---+----` of PostgreSQL, `**** 3. row ****` of MySQL. */
const RULER = /^(?:-\[ RECORD \d{1,9} \][-+]{0,400}|\*{5,80} \d{1,9}\. row \*{5,80})$/;

/** A field and its value: `state | active` below a ruler, `Package: tar`, `  Size: 12`. */
const FIELD = /^[ \t]{0,20}([A-Za-z][\w .()/-]{0,60}?)[ \t]{0,60}(\||:(?=[ \t]|$))[ \t]{0,60}(.{0,4000})$/;

/** Gap between several fields on one line: `Size: 12   Blocks: 8`. */
const NEXT_FIELD = /(?:\t| {2})[ \t]{0,60}(?=[A-Z][\w ]{0,30}: )/;

/** A field without a value, of which others are the value: `metadata:`. */
const PARENT = /^[ \t]{0,40}[\w."'/-]{1,60}:[ \t]{0,4}$/;
const MAX_PARENTS = 0.02;

/** Fields that each record has, and different fields that all have. */
const MIN_FIELDS = 3;
const MAX_FIELDS = 120;

/** Share of the lines that must be fields or rulers, and of the records that must begin with the same field. */
const MIN_SHARE = 0.7;
const MIN_ALIKE = 0.9;

/**
 * Records with a field on each line (`psql -x`, `\G` of MySQL, `apt show`, `stat`): rows of one table whose columns are
 * the fields.
 */
export const recordsStrategy: Strategy = {
  rule: 'records',
  condense: (text) => {
    if (!mayBe(text, MIN_SHARE, (line) => FIELD.test(line) || RULER.test(line))) {
      return undefined;
    }
    const lines = text
      .split('\n')
      .filter((line, at, all) => line.trim() !== '' || all[at + 1]?.trim() !== '');
    const records = splitRecords(lines);
    if (records.length < MIN_ROWS || !areRecords(lines, records)) {
      return undefined;
    }
    const columns = columnsOf(records);
    return (
      columns &&
      renderRows(records.length, selectRows(records.length, columns), (row) =>
        (records[row] ?? []).join('\n'),
      ).join('\n')
    );
  },
};

/** Whether records have the same first field and several more, and are no nested settings and no lines of logs. */
function areRecords(lines: readonly string[], records: readonly (readonly string[])[]): boolean {
  const first = firstField(records[0] ?? []);
  const isDrawn = RULER.test(lines[0] ?? '');
  const alike = records.filter((record) => record.length >= MIN_FIELDS && firstField(record) === first);
  const parents = lines.filter((line, at) => PARENT.test(line) && indentOf(lines[at + 1]) > indentOf(line));
  return (
    first !== undefined &&
    alike.length >= records.length * MIN_ALIKE &&
    (isDrawn || (parents.length <= lines.length * MAX_PARENTS && FIELD.exec(lines[0] ?? '')?.[2] === ':'))
  );
}

/** Splits lines at rulers, or else at blank lines, or else where the first field comes again. */
function splitRecords(lines: readonly string[]): string[][] {
  const starts = startsOf(lines);
  const records: string[][] = [];
  lines.forEach((line, index) => {
    if (starts(line, index) || records.length === 0) {
      records.push([]);
    }
    if (line.trim() !== '') {
      records.at(-1)?.push(line.trimEnd());
    }
  });
  return records.filter((record) => record.length > 0);
}

function startsOf(lines: readonly string[]): (line: string, index: number) => boolean {
  if (RULER.test(lines[0] ?? '')) {
    return (line) => RULER.test(line);
  }
  if (lines.some((line) => line.trim() === '')) {
    return (_, index) => (lines[index - 1] ?? '').trim() === '';
  }
  const first = FIELD.exec(lines[0] ?? '')?.[1];
  return (line) => first !== undefined && FIELD.exec(line)?.[1] === first;
}

function firstField(record: readonly string[]): string | undefined {
  return FIELD.exec(record.find((line) => !RULER.test(line)) ?? '')?.[1];
}

/** Values by field; undefined if there are too many fields. */
function columnsOf(records: readonly (readonly string[])[]): Columns | undefined {
  const columns = new Map<string, (string | undefined)[]>();
  for (const [row, record] of records.entries()) {
    for (const part of record.flatMap((line) => line.split(NEXT_FIELD))) {
      const [, name, , value = ''] = FIELD.exec(part) ?? [];
      if (name === undefined || RULER.test(part)) {
        continue;
      }
      const column = columns.get(name) ?? Array.from<string | undefined>({ length: records.length });
      column[row] ??= value.trim();
      columns.set(name, column);
    }
    if (columns.size > MAX_FIELDS) {
      return undefined;
    }
  }
  return columns;
}
