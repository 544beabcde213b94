import { quantity, withGaps } from '../kit/gap.js';
import { type ColumnProfile, NAMING, profileColumn } from './column-profile.js';
import { type Ranking, rankingOf } from './ranking.js';

/** Number of rows below which arrays and tables stay whole. */
export const MIN_ROWS = 12;

const HEAD = 3;
const TAIL = 2;

const ID = /^"?[0-9a-f-]{8,64}"?$/i;

/** Length of common folders from which on they are written once. */
const MIN_COMMON_CHARS = 24;

/** Cells by name of column. Each column has one for every row of the table, undefined where the row has none. */
export type Columns = ReadonlyMap<string, readonly (string | undefined)[]>;

/** Rows of a table to show, and the profiles of its columns. */
export interface RowSelection {
  /** Indexes of the rows to show, ascending: the first, the last, and the unusual ones. */
  readonly kept: readonly number[];
  readonly profiles: readonly ColumnProfile[];
  readonly ranking?: Ranking;
}

/** @param items all values of the columns of which a row can have several */
export function selectRows(
  total: number,
  columns: Columns,
  items: ReadonlyMap<string, readonly string[]> = new Map(),
): RowSelection {
  const profiles = [...columns].map(([name, cells]) => profileColumn(name, cells, items.get(name)));
  const weights = new Map<number, number>();
  for (const { unusual } of profiles) {
    unusual.forEach((weight, row) => weights.set(row, (weights.get(row) ?? 0) + weight));
  }
  const most = Math.max(4, Math.min(80, Math.floor(total / 3)));
  const unusual = [...weights]
    .filter(([row]) => row >= HEAD && row < total - TAIL)
    .sort(([rowA, a], [rowB, b]) => b - a || rowA - rowB)
    .slice(0, most)
    .map(([row]) => row);
  const kept = new Set([...range(0, HEAD), ...unusual, ...range(total - TAIL, total)]);
  const ranking = rankingOf(total, columns);
  return { kept: [...kept].sort((a, b) => a - b), profiles, ...(ranking !== undefined && { ranking }) };
}

/**
 * The kept rows with counted gaps between them, and a last line about the columns.
 * @param note about the number of rows, e.g. `, 2 of them broken`
 */
export function renderRows(
  total: number,
  { kept, profiles, ranking }: RowSelection,
  render: (row: number) => string,
  note = '',
): string[] {
  const about = `[${quantity(total, 'rows')} in all${note}; ${describe(profiles, ranking)}]`;
  return [...withGaps(total, kept, render, 'rows'), ...(ranking ? [ranking.text] : []), about];
}

/**
 * Summary of all columns: categories and ranges, constants, names of the rows, and columns whose
 * values mostly differ.
 */
function describe(profiles: readonly ColumnProfile[], ranking?: Ranking): string {
  const parts = profiles
    .filter(({ kind }) => kind === 'categories' || kind === 'range')
    .map(({ name, summary }) => `${name}: ${summary}`);
  const constant = profiles.filter(({ kind }) => kind === 'constant');
  if (constant.length > 0) {
    parts.push(`in all rows ${constant.map(({ name, summary }) => `${name}: ${summary}`).join(', ')}`);
  }
  const naming = namingColumns(profiles.filter(({ name }) => name !== ranking?.column));
  naming.forEach(({ name, labels = [] }) => parts.push(`${name} in order${namesInOrder(labels)}`));
  const distinct = profiles.filter((profile) => profile.kind === 'distinct' && !naming.includes(profile));
  if (distinct.length > 0) {
    const names = distinct.map(
      ({ name, distinct: count, summary }) => `${name} ${count}${summary === '' ? '' : ` (${summary})`}`,
    );
    parts.push(`distinct values ${names.join(', ')}`);
  }
  return parts.join('; ');
}

/** The columns that tell the rows apart: of paths the first, and of other names the best. */
function namingColumns(profiles: readonly ColumnProfile[]): ColumnProfile[] {
  const named = profiles.filter(
    ({ labels }) => labels !== undefined && !labels.every((label) => ID.test(label)),
  );
  const paths = named.find(({ labels }) => labels?.every((label) => label.includes('/')));
  const others = named.filter((profile) => profile !== paths);
  const names = others.find(({ name }) => NAMING.test(name)) ?? (paths ? undefined : others[0]);
  return [paths, names].filter((profile) => profile !== undefined);
}

/** Names of all rows; folders that all have in common once. */
function namesInOrder(names: readonly string[]): string {
  const common = commonFolders(names);
  const isBehind = common.length >= MIN_COMMON_CHARS;
  const shown = isBehind ? names.map((name) => unquoted(name.slice(common.length))) : names;
  // Titles in text stand in no quotes, and may have commas.
  const separator = shown.some((name) => !name.startsWith('"') && name.includes(', ')) ? ' | ' : ', ';
  return `${isBehind ? `, each behind ${unquoted(common)}` : ''}: ${shown.join(separator)}`;
}

function commonFolders([first = '', ...others]: readonly string[]): string {
  const common = others.reduce((before, name) => {
    let end = 0;
    while (end < before.length && before[end] === name[end]) {
      end++;
    }
    return before.slice(0, end);
  }, first);
  return common.slice(0, common.lastIndexOf('/') + 1);
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, '');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
