import { shorten } from '../kit/gap.js';
import { indentOf } from '../kit/indent.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe, shareOf } from '../protection/line-sample.js';
import { columnOf, type Columns } from '../rows/column-cells.js';
import { rowLines, TABLE_LINES } from '../rows/row-lines.js';
import { renderRows, selectRows } from '../rows/row-selection.js';

/** Line above a record: `-[ RECORD 3 ]---+----` of PostgreSQL, `**** 3. row ****` of MySQL. */
const RULER = /^(?:-\[ RECORD \d{1,9} \][-+]{0,400}|\*{5,80} \d{1,9}\. row \*{5,80})$/;

/** A field and its value: `state | active` below a ruler, `Package: tar`, `  Size: 12`, `qty = 3`. */
const FIELD =
  /^[ \t]{0,40}([A-Za-z][\w .()/-]{0,60}?)[ \t]{0,60}(\||:(?=[ \t]|$)|=(?!=))[ \t]{0,60}(.{0,4000})$/;

/** Gap between several fields on one line: `Size: 12   Blocks: 8`. */
const NEXT_FIELD = /(?:\t| {2})[ \t]{0,60}(?=[A-Z][\w ]{0,30}: )/;

/** A field without a value, of which others are the value: `metadata:`. */
const PARENT = /^[ \t]{0,40}[\w."'/-]{1,60}:[ \t]{0,4}$/;
const MAX_PARENTS = 0.02;

/** Name of a section in settings, whose fields are no record. */
const SECTION = /^[ \t]{0,20}\[{1,2}[^\]]{1,120}\]{1,2}$/;

/** Records from which on they are rows, fields that each has, and different fields that all have. */
const MIN_RECORDS = 4;
const MIN_FIELDS = 2;
const MAX_FIELDS = 120;

/** Share of the lines that must be fields or rulers; the others go on with the value above them. */
const MIN_SHARE = 0.25;

/** Share of the records that must begin with the same field. */
const MIN_ALIKE = 0.9;

/** Column of the lines above the first field of each record. */
const HEADING = 'heading';

/** Records, and share of fields among the lines, from which on a few common fields suffice; and how many else. */
const MANY_RECORDS = 12;
const MANY_LINES = 0.6;
const MIN_SHARED_OF_FEW = 5;

/** Share of the text below which rows are worth it: the lines of others may repeat themselves in another way. */
const WORTH = 0.8;

/** Characters of a value, and of one that goes on over several lines, whose first says what it is. */
const MAX_VALUE = 240;
const MAX_LINES_VALUE = 100;

/**
 * Records with a field on each line (`psql -x`, `\G` of MySQL, `apt show`, `stat`): rows of one table whose columns are
 * the fields.
 */
export const recordsStrategy: Strategy = {
  rule: 'records',
  condense: (text, { use }) => {
    if (!mayBe(text, MIN_SHARE, (line) => FIELD.test(line) || RULER.test(line))) {
      return undefined;
    }
    const lines = text
      .split('\n')
      .filter((line, at, all) => line.trim() !== '' || all[at + 1]?.trim() !== '');
    const records = splitRecords(lines);
    const columns = areRecords(lines, records) ? columnsOf(records) : undefined;
    if (!columns || !areEnough(lines, records, columns, use.isShell)) {
      return undefined;
    }
    const condensed = renderRows(
      records.length,
      selectRows(records.length, columns),
      (row) => (records[row] ?? []).map((line) => shorten(line, MAX_VALUE)).join('\n'),
      { lines: () => rowLines(columns, TABLE_LINES) },
    ).join('\n');
    return condensed.length < text.length * WORTH ? condensed : undefined;
  },
};

/** Whether records have the same first field and several more, and are no nested settings and no lines of logs. */
function areRecords(lines: readonly string[], records: readonly (readonly string[])[]): boolean {
  const first = firstField(records[0] ?? []);
  const isDrawn = RULER.test(lines[0] ?? '');
  const alike = records.filter((record) => record.length >= MIN_FIELDS && firstField(record) === first);
  const parents = lines.filter(
    (line, at) =>
      PARENT.test(line) && indentOf(lines[at + 1]) > indentOf(line) && FIELD.test(lines[at + 1] ?? ''),
  );
  const separator = lines.map((line) => FIELD.exec(line)?.[2]).find((sign) => sign !== undefined);
  return (
    first !== undefined &&
    records.length >= MIN_RECORDS &&
    alike.length >= records.length * MIN_ALIKE &&
    (isDrawn || (parents.length <= lines.length * MAX_PARENTS && separator !== '|')) &&
    !lines.some((line) => SECTION.test(line))
  );
}

/**
 * Whether what the records have in common makes them rows: many with a few fields, or a few with many. In the output of
 * a command, most lines may go on with values, and signs of settings are none.
 */
function areEnough(
  lines: readonly string[],
  records: readonly (readonly string[])[],
  columns: Columns,
  isShell: boolean,
): boolean {
  const shared = [...columns].filter(
    ([name, cells]) =>
      name !== HEADING && cells.filter((cell) => cell !== undefined).length >= records.length * MIN_ALIKE,
  ).length;
  const fields = shareOf(lines, (line) => line === '' || FIELD.test(line) || RULER.test(line));
  const signs = lines.some((line) => FIELD.exec(line)?.[2] === '=');
  return (
    shared >= (records.length < MANY_RECORDS || fields < MANY_LINES ? MIN_SHARED_OF_FEW : MIN_FIELDS) &&
    (isShell || (records.length >= MANY_RECORDS && fields >= MANY_LINES && !signs && !columns.has(HEADING)))
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
  if (lines.slice(0, -1).some((line) => line.trim() === '')) {
    return (_, index) => (lines[index - 1] ?? '').trim() === '';
  }
  const first = firstField(lines);
  const isFirst = (line = ''): boolean => first !== undefined && FIELD.exec(line)?.[1] === first;
  // A heading stands above each record if one stands above the first.
  return FIELD.test(lines[0] ?? '') ? isFirst : (_, index) => isFirst(lines[index + 1]);
}

function firstField(record: readonly string[]): string | undefined {
  return FIELD.exec(record.find((line) => FIELD.test(line) && !RULER.test(line)) ?? '')?.[1];
}

/** Values by field; undefined if there are too many fields. */
function columnsOf(records: readonly (readonly string[])[]): Columns | undefined {
  const columns = new Map<string, (string | undefined)[]>();
  for (const [row, record] of records.entries()) {
    for (const [name, value] of fieldsOf(record)) {
      columnOf(columns, name, records.length)[row] ??= value;
    }
    if (columns.size > MAX_FIELDS) {
      return undefined;
    }
  }
  return columns;
}

/** Names and values of a record. What is no field goes on with the value above it, or is the heading. */
function fieldsOf(record: readonly string[]): (readonly [string, string])[] {
  const fields: { readonly name: string; readonly lines: string[] }[] = [];
  for (const part of record.filter((line) => !RULER.test(line)).flatMap((line) => line.split(NEXT_FIELD))) {
    const [, name, , value = ''] = FIELD.exec(part) ?? [];
    if (name !== undefined) {
      fields.push({ name, lines: [value.trim()] });
    } else if (part.trim() !== '') {
      if (fields.length === 0) {
        fields.push({ name: HEADING, lines: [] });
      }
      fields.at(-1)!.lines.push(part.trim());
    }
  }
  return fields.map(({ name, lines }) => [
    name,
    lines.length > 1
      ? shorten(lines.join(' ').trim(), MAX_LINES_VALUE)
      : shorten(lines.join(''), MAX_VALUE, 60),
  ]);
}
