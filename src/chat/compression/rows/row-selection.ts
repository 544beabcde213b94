import { quantity, withGaps } from '../kit/gap.js';
import { allRows, type RowLines } from './all-rows.js';
import { type Columns } from './column-cells.js';
import { type ColumnProfile, profileColumn } from './column-profile.js';
import { minorityNames } from './minority-names.js';
import { type Ranking, rankingOf } from './ranking.js';
import { type RowNames, rowNames } from './row-names.js';
import { rowPairs } from './row-pairs.js';
import { sparseColumns } from './sparse-columns.js';
import { LIKELY } from './unusual-rows.js';

/** Number of rows below which arrays and tables stay whole. */
export const MIN_ROWS = 12;

const HEAD = 3;
const TAIL = 2;

/** Rows shown at the end where each is one short value, and the most characters of it: the newest versions stand there. */
const TAIL_OF_VALUES = 10;
const MAX_VALUE_CHARS = 40;

/** Characters of the cells of a row, in the mean, above which a slight mark alone is not worth a row. */
const LARGE_ROW_CHARS = 80;

/** Unusual rows up to which those with a slight mark alone are shown. */
const MAX_SLIGHT = 12;

/** Share of the characters of all cells that the names of the rows may take. */
const NAMES_SHARE = 0.25;

/** Rows of a table to show, and the profiles of its columns. */
export interface RowSelection {
  /** Indexes of the rows to show, ascending: the first, the last, and the unusual ones. */
  readonly kept: readonly number[];
  readonly profiles: readonly ColumnProfile[];
  readonly names: RowNames;
  readonly ranking?: Ranking;
  /** Number of columns that hardly any row has, and that are not described. */
  readonly sparse?: number;
  /** Names of the rows in rare categories. */
  readonly minorities?: readonly string[];
  /** All of each row, in one line. */
  readonly pairs?: string;
}

/** @param items all values of the columns of which a row can have several */
export function selectRows(
  total: number,
  columns: Columns,
  items: ReadonlyMap<string, readonly string[]> = new Map(),
): RowSelection {
  const chars = charsOf(columns);
  const room = chars * NAMES_SHARE;
  const sparse = sparseColumns(total, columns);
  const profiles = [...columns]
    .filter(([name]) => !sparse.has(name))
    .map(([name, cells]) => profileColumn(name, cells, items.get(name), room));
  const weights = new Map<number, number>();
  for (const { unusual } of profiles) {
    unusual.forEach((weight, row) => weights.set(row, (weights.get(row) ?? 0) + weight));
  }
  const tail = areShortValues(profiles, columns) ? TAIL_OF_VALUES : TAIL;
  const least = chars > total * LARGE_ROW_CHARS ? LIKELY : 0;
  const most = Math.max(4, Math.min(80, Math.floor(total / 3)));
  const marked = [...weights]
    .filter(([row, weight]) => weight >= least && row >= HEAD && row < total - tail)
    .sort(([rowA, a], [rowB, b]) => b - a || rowA - rowB);
  const likely = marked.filter(([, weight]) => weight >= LIKELY).length;
  const unusual = marked.slice(0, Math.min(most, Math.max(likely, MAX_SLIGHT))).map(([row]) => row);
  const kept = new Set([...range(0, HEAD), ...unusual, ...range(total - tail, total)]);
  const ranking = rankingOf(total, columns);
  const hasMore = [...items.values()].some((values) => values.length > total);
  const areAmounts = profiles.some(({ kind }) => kind === 'range');
  const pairs = hasMore || areAmounts ? undefined : rowPairs(total, columns);
  return {
    kept: [...kept].sort((a, b) => a - b),
    profiles,
    minorities: minorityNames(total, profiles, columns, kept),
    names: rowNames(profiles, columns, ranking?.column),
    ...(ranking !== undefined && { ranking }),
    ...(pairs !== undefined && { pairs }),
    ...(sparse.size > 0 && { sparse: sparse.size }),
  };
}

function charsOf(columns: Columns): number {
  return [...columns.values()].flat().reduce((chars, cell) => chars + (cell?.length ?? 0), 0);
}

/** Whether the rows are short values that mostly differ, of which a few more cost little. */
function areShortValues(profiles: readonly ColumnProfile[], columns: Columns): boolean {
  const [cells = []] = columns.values();
  return (
    columns.size === 1 &&
    profiles[0]?.kind === 'distinct' &&
    cells.every((cell) => (cell?.length ?? 0) <= MAX_VALUE_CHARS)
  );
}

interface RowForm {
  /** About the number of rows, e.g. `, 2 of them broken`. */
  readonly note?: string;
  /** Renders a row without what all rows have in common; the first is shown whole. */
  readonly brief?: ((row: number) => string) | undefined;
  /** All rows in a form that takes less room. */
  readonly lines?: () => RowLines | undefined;
}

/** The kept rows with counted gaps between them, and a last line about the columns. */
export function renderRows(
  total: number,
  selection: RowSelection,
  render: (row: number) => string,
  { note = '', brief, lines }: RowForm = {},
): string[] {
  const { kept, profiles, names, ranking, pairs, sparse = 0, minorities = [] } = selection;
  if (pairs !== undefined) {
    return [...withGaps(total, [0], render, 'rows'), pairs, `[${quantity(total, 'rows')} in all${note}]`];
  }
  const shown = sparse === 0 && areTold(total, selection, render) ? [0] : kept;
  const common = brief && shown.length > 1 ? 'in all rows, and shown in the first only,' : 'in all rows';
  const further = sparse > 0 ? `; ${quantity(sparse, 'columns')} that few rows have` : '';
  const rare = minorities.map((text) => `; ${text}`).join('');
  const about = `[${quantity(total, 'rows')} in all${note}; ${describe(profiles, names, common)}${further}${rare}]`;
  const renderShown = (row: number): string => (row === 0 || !brief ? render(row) : brief(row));
  const selected = [
    ...withGaps(total, shown, renderShown, 'rows'),
    ...(ranking ? [ranking.text] : []),
    about,
  ];
  return (lines && allRows(total, selected, lines, profiles, note)) ?? selected;
}

/**
 * Whether the summary says all of each row, so that one shows their form: without what the lists hold, they are the same
 * text. The columns alone do not tell it, since those of a row may leave out items, or words behind its last cell.
 */
function areTold(total: number, { profiles, names }: RowSelection, render: (row: number) => string): boolean {
  const listed = [...names.columns.values()];
  const formOf = (row: number): string =>
    listed
      .reduce((text, cells) => text.replace(cells[row] ?? '', () => ''), render(row))
      .replace(/\s{1,1000}/g, ' ');
  if (!profiles.every(({ kind, name }) => kind === 'constant' || names.columns.has(name))) {
    return false;
  }
  const form = formOf(0);
  return range(1, total).every((row) => formOf(row) === form);
}

/**
 * Summary of all columns: categories and ranges, constants, names of the rows, and columns whose
 * values mostly differ.
 */
function describe(profiles: readonly ColumnProfile[], names: RowNames, common: string): string {
  const parts = profiles
    .filter(({ kind }) => kind === 'categories' || kind === 'range')
    .map(({ name, summary }) => `${name}: ${summary}`);
  const constant = profiles.filter(({ kind }) => kind === 'constant');
  if (constant.length > 0) {
    parts.push(`${common} ${constant.map(({ name, summary }) => `${name}: ${summary}`).join(', ')}`);
  }
  parts.push(...names.lists);
  const distinct = profiles.filter(({ kind, name }) => kind === 'distinct' && !names.columns.has(name));
  if (distinct.length > 0) {
    const counts = distinct.map(
      ({ name, distinct: count, summary }) => `${name} ${count}${summary === '' ? '' : ` (${summary})`}`,
    );
    parts.push(`distinct values ${counts.join(', ')}`);
  }
  return parts.join('; ');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
