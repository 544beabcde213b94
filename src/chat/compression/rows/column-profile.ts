import { quantity } from '../kit/gap.js';
import { isEmpty } from './cell-values.js';
import { ColumnCells, type ColumnQuantities } from './column-cells.js';
import { titleRank } from './naming-columns.js';
import { UnusualRows } from './unusual-rows.js';

/** Summary of one column of a table. */
export interface ColumnProfile {
  readonly name: string;
  /** Kind of description: the only value, counts of the values, their ends, or their number. */
  readonly kind: 'constant' | 'categories' | 'range' | 'distinct';
  /** E.g. `"active" 480, "failed" 3`, or `1 to 500, "unknown" 7`; for `distinct` only how many cells are empty or missing. */
  readonly summary: string;
  /** Number of different values; missing cells do not count. */
  readonly distinct: number;
  /** The values of all rows, when they are few, short and mostly different, so that they name these; only for `distinct`. */
  readonly labels?: readonly string[];
  /** Weight by row, for rows that stand out in this column; higher weights are shown first. */
  readonly unusual: ReadonlyMap<number, number>;
}

/** Different values up to which a column is listed value by value. */
const MAX_CATEGORIES = 32;

/** Rows for each different value, in the mean, from which on counts say something; fewer if the values are few. */
const MIN_REPEATS = 3;
const MIN_REPEATS_OF_FEW = 1.5;
const FEW_CATEGORIES = 10;

/** Rows up to which the values of a naming column are listed, and the longest such value. */
const MAX_LABELS = 100;
const MAX_LABEL_CHARS = 48;

/** The same for addresses, and for names and titles, which may be sentences. */
const MAX_LONG_LABELS = 60;
const MAX_LONG_LABEL_CHARS = 120;
const MAX_ADDRESS_CHARS = 200;
const ADDRESS = /^"?https?:\/\/[^\s"]{1,400}"?$/;

/** Characters of all names up to which those of any table are listed as well: of packages, one is looked for. */
const MIN_ROOM = 3000;

/** How the first column is called where there is no header: it names the rows as a rule. */
const FIRST_UNNAMED = 'column 1';

/** Share of different values from which on they name the rows, although a few come again. */
const MIN_NAMES_SHARE = 0.5;

/** Share of the rows that must have a name for these to be listed, and what stands in place of the others. */
const MIN_NAMED = 0.97;
const NAMELESS = '–';

/** A sign in front of a name, such as that of a unit that has failed. */
const MARK = /^[^\w"/@.]{1,4} /;

/** Files up to which each is listed, and the share of the rows that must name one. */
const MAX_PATHS = 120;
const MIN_FILLED = 0.9;
const PATH = /^"?(?:[A-Za-z]:)?[^\s"<>|*?]{1,190}\.[A-Za-z]\w{0,9}"?$/;

/** Characters up to which more codes are listed value by value, such as the rules of a linter, and the form of one. */
const MAX_CODES_CHARS = 800;
const CODE = /^"?[A-Za-z][\w@/.:-]{0,30}"?$/;

/**
 * Values for each different text, digits aside, from which on the column is a series: its ends tell the rest. Titles
 * are one only if all have the same text.
 */
const MIN_SERIES = 4;

/** Values beside the ends of a range that are listed, the most frequent first. */
const MAX_OTHERS = 8;

/** Longest value in a summary. */
const MAX_SHOWN_CHARS = 80;

/**
 * @param cells the cells of all rows, undefined where a row has none
 * @param items the values of all rows if a row can have several: these are what is described
 * @param room characters that the names of the rows may take; a few thousand they always may
 */
export function profileColumn(
  name: string,
  cells: readonly (string | undefined)[],
  items: readonly string[] = [],
  room = 0,
): ColumnProfile {
  const profile = profileCells(name, cells, room);
  const filled = cells.filter((cell) => cell !== undefined).length;
  if (items.length <= filled || profile.kind === 'constant') {
    return profile;
  }
  const { kind, summary, distinct } = profileCells(name, items, room);
  const base = { name, distinct, unusual: profile.unusual };
  // What all items have need not be in all rows.
  return kind === 'constant'
    ? { ...base, kind: 'categories', summary: `${summary} ${items.length}` }
    : { ...base, kind, summary };
}

function profileCells(name: string, cells: readonly (string | undefined)[], room: number): ColumnProfile {
  const column = new ColumnCells(cells);
  const unusual = new UnusualRows(column);
  unusual.markAbsences();
  const distinct = column.rowsByValue.size;
  const base = { name, distinct, unusual: unusual.weights };
  if (distinct === 1 && column.missing.length === 0) {
    return { ...base, kind: 'constant', summary: shown([...column.rowsByValue.keys()][0] ?? '') };
  }
  const quantities = column.quantities();
  if (quantities) {
    unusual.markOthers(quantities);
  }
  if (areCategories(distinct, column.total)) {
    unusual.markCategories();
    if (quantities) {
      unusual.markOutliers(quantities.sorted);
    }
    return { ...base, kind: 'categories', summary: categories(column) };
  }
  if (quantities) {
    unusual.markOutliers(quantities.sorted);
    unusual.markEnds(quantities.sorted);
    return { ...base, kind: 'range', summary: range(column, quantities) };
  }
  unusual.markTexts();
  if (arePaths(column) || areCodes(column)) {
    return { ...base, kind: 'categories', summary: categories(column) };
  }
  const labels = rowLabels(name, column, room);
  return { ...base, kind: 'distinct', summary: absences(column), ...(labels && { labels }) };
}

function areCategories(distinct: number, total: number): boolean {
  const isRepetitive = distinct <= Math.max(2, total / MIN_REPEATS);
  const areFew = distinct <= FEW_CATEGORIES && distinct < total / MIN_REPEATS_OF_FEW;
  return distinct <= MAX_CATEGORIES && (isRepetitive || areFew);
}

/** Whether the rows belong to files, as the findings of a linter do: few enough to list each with its number of rows. */
function arePaths({ rowsByValue, filled, total }: ColumnCells): boolean {
  const { size } = rowsByValue;
  const isRepetitive = size <= MAX_PATHS && size < total && filled.length >= total * MIN_FILLED;
  return isRepetitive && [...rowsByValue.keys()].every((value) => PATH.test(value));
}

/** Whether the rows have codes that come again: more than other categories may be, since a code takes little room. */
function areCodes({ rowsByValue, total }: ColumnCells): boolean {
  const values = [...rowsByValue.keys()].filter((value) => !isEmpty(value));
  return (
    values.length <= total / MIN_REPEATS &&
    values.join('').length <= MAX_CODES_CHARS &&
    values.every((value) => CODE.test(value))
  );
}

/** The values of all rows, if they can name these. */
function rowLabels(name: string, column: ColumnCells, room: number): readonly string[] | undefined {
  const { rowsByValue, filled, total } = column;
  const values = [...rowsByValue.keys()].filter((value) => !isEmpty(value));
  const isNaming = titleRank(name) !== undefined || name === FIRST_UNNAMED;
  const areFew = total <= MAX_PATHS || (isNaming && values.join('').length <= Math.max(MIN_ROOM, room));
  if (filled.length < total * MIN_NAMED || values.length < total * MIN_NAMES_SHARE || !areFew) {
    return undefined;
  }
  const named = new Set(filled);
  const labels = Array.from({ length: total }, (_, row) => (named.has(row) ? column.value(row) : NAMELESS));
  if (values.every((value) => PATH.test(value))) {
    return labels;
  }
  const withoutDigits = new Set(values.map((value) => value.replace(MARK, '').replace(/\d{1,30}/g, '#')));
  const isSeries = withoutDigits.size <= (isNaming ? 1 : values.length / MIN_SERIES);
  const isShort = (most: number, chars: number): boolean =>
    total <= most && values.every(({ length }) => length <= chars);
  const areLabels =
    isShort(isNaming ? total : MAX_LABELS, MAX_LABEL_CHARS) ||
    (isNaming && isShort(MAX_LONG_LABELS, MAX_LONG_LABEL_CHARS)) ||
    (values.every((value) => ADDRESS.test(value)) && isShort(MAX_LONG_LABELS, MAX_ADDRESS_CHARS));
  return areLabels && !isSeries ? labels : undefined;
}

/** Values with their counts, the most frequent first. */
function categories({ rowsByValue, missing }: ColumnCells): string {
  return [...counts(rowsByValue), ...(missing.length > 0 ? [`missing ${missing.length}`] : [])].join(', ');
}

/** The ends of a column, and its values that are neither numbers nor times with their counts. */
function range(column: ColumnCells, { sorted, others }: ColumnQuantities): string {
  const first = shown(column.value(sorted[0]?.row ?? 0));
  const last = shown(column.value(sorted.at(-1)?.row ?? 0));
  const counted = counts(others);
  const more = counted.length - MAX_OTHERS;
  return [
    `${first} to ${last}`,
    ...counted.slice(0, MAX_OTHERS),
    ...(more > 0 ? [quantity(more, 'other values')] : []),
    ...[absences(column)].filter((absent) => absent !== ''),
  ].join(', ');
}

function counts(rowsByValue: ReadonlyMap<string, readonly number[]>): string[] {
  const values = [...rowsByValue].sort(([, a], [, b]) => b.length - a.length);
  return values.map(([value, rows]) => `${shown(value)} ${rows.length}`);
}

/** Number of cells that are empty or missing; empty if there are none. */
function absences(column: ColumnCells): string {
  const { empty, missing } = column;
  const parts: string[] = [];
  if (empty.length > 0) {
    parts.push(`${shown(column.value(empty[0] ?? 0))} ${empty.length}`);
  }
  if (missing.length > 0) {
    parts.push(`missing ${missing.length}`);
  }
  return parts.join(', ');
}

function shown(value: string): string {
  if (value === '') {
    return 'empty';
  }
  return value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value;
}
