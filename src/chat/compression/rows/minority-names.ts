import { cellNumber, cellTime, isEmpty } from './cell-values.js';
import { type Columns } from './column-cells.js';
import { type ColumnProfile } from './column-profile.js';
import { compareRanks, titleRank } from './naming-columns.js';

/** Rows from which on those of a rare category are named, and the share of the rows that they may be. */
const MIN_TOTAL = 40;
const MAX_SHARE = 0.1;

/** Share of the rows that must be in one category for others to be exceptions. */
const MIN_RULE = 0.5;

/** Names of one category, and categories of one column. */
const MAX_NAMES = 30;
const MAX_CATEGORIES = 4;

/** Share of the rows that a naming column must tell apart, that must have a name, and its longest value. */
const MIN_DIFFERENT = 0.9;
const MIN_NAMED = 0.97;
const MAX_NAME = 60;

/**
 * Names of the rows in rare categories that are not shown, beside one of most rows: of settings those that are not the
 * default, of services the ones that are off. `state masked: cryptdisks, hwclock`.
 * @param shown the rows that are shown
 */
export function minorityNames(
  total: number,
  profiles: readonly ColumnProfile[],
  columns: Columns,
  shown: ReadonlySet<number>,
): string[] {
  const names = total < MIN_TOTAL ? undefined : namingColumn(total, columns);
  if (!names) {
    return [];
  }
  return profiles
    .filter(({ kind, name }) => kind === 'categories' && columns.get(name) !== names)
    .flatMap(({ name }) => {
      const rowsOf = Map.groupBy(names.keys(), (row) => columns.get(name)?.[row] ?? '');
      const rare = [...rowsOf].filter(
        ([value, rows]) =>
          cellNumber(value) === undefined &&
          value !== '' &&
          rows.length <= Math.min(MAX_NAMES, total * MAX_SHARE) &&
          rows.some((row) => !shown.has(row)),
      );
      const most = Math.max(...[...rowsOf.values()].map(({ length }) => length));
      return rare.length > MAX_CATEGORIES || most < total * MIN_RULE
        ? []
        : rare.map(([value, rows]) => `${name} ${value}: ${rows.map((row) => names[row] || '–').join(', ')}`);
    });
}

/** The column that names the rows: one for titles, or else the first that tells them apart. */
function namingColumn(total: number, columns: Columns): readonly (string | undefined)[] | undefined {
  const naming = [...columns].filter(
    ([, cells]) =>
      new Set(cells).size >= total * MIN_DIFFERENT &&
      cells.every((cell = '') => cell.length <= MAX_NAME && (isEmpty(cell) || isName(cell))) &&
      cells.filter((cell = '') => !isEmpty(cell)).length >= total * MIN_NAMED,
  );
  return naming.sort(([a], [b]) => compareRanks(titleRank(a), titleRank(b)))[0]?.[1];
}

function isName(cell: string): boolean {
  return /[A-Za-z]/.test(cell) && cellTime(cell) === undefined;
}
