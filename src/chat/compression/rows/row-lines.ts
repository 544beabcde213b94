import { shorten } from '../kit/gap.js';
import { mostFrequent } from '../kit/most-frequent.js';
import { type RowLines } from './all-rows.js';
import { type Columns } from './column-cells.js';
import { commonFolders } from './common-folders.js';
import { codeRank, compareRanks } from './naming-columns.js';

type Cells = readonly (string | undefined)[];

/** Share of the rows from which on a value is the usual one of its column, or a column like another one. */
const MIN_USUAL = 0.6;

/** Length of cells, in the mean, from which on one that another column tells is written once. */
const MIN_TOLD_CHARS = 8;

/** Length of a value from which on it is no accident that it stands in another cell. */
const MIN_KEY_CHARS = 4;

/** Share of different values up to which a column tells others. */
const MAX_KEYS = 0.9;

/** Length of common folders from which on they are written once. */
const MIN_COMMON_CHARS = 16;

/** Hashes, and the characters by which one is told from all others. */
const HASH = /^"?[0-9a-f]{40,64}"?$/;
const HASH_CHARS = 12;

/** Characters of a text, or of a list of texts, in a row that does not stand out. */
const MAX_TEXT = 120;
const TEXT = /^\[?\s{0,20}"/;

/** A cell that a row does not have, in its place among the others. */
const MISSING = 'missing';

/** How lines are written. */
interface LineForm {
  readonly comma: string;
  /** A value with the name of its column. */
  readonly named: (name: string, value: string) => string;
  /** Whether the code of a row stands behind its name: by it a next call asks for the row, and people search for both. */
  readonly namesCodes: boolean;
  /** Whether a row stands out, so that its texts are shown whole. */
  readonly isKept: (row: number) => boolean;
}

/** For tables that are printed for people. */
export const TABLE_LINES: LineForm = {
  comma: ' | ',
  named: (name, value) => `${name}: ${value}`,
  namesCodes: false,
  isKept: () => true,
};

/** A column of which most cells follow from something that is said once. */
interface ToldColumn {
  readonly cells: Cells;
  readonly note: string;
  readonly isTold: (row: number) => boolean;
}

/**
 * Rows as lines of values under the names of their columns. What most rows have is said once, and a row that has
 * something else names it; what follows from another column stands in the first row with that value.
 */
export function rowLines(columns: Columns, form: LineForm): RowLines {
  const listed = new Map<string, Cells>();
  const told = new Map<string, ToldColumn>();
  // Short columns tell long ones, as a rule does its message.
  for (const [name, cells] of [...columns].sort(([, a], [, b]) => charsOf(a) - charsOf(b))) {
    const column = usualColumn(name, cells, form) ?? followingColumn(name, cells, listed);
    if (column) {
      told.set(name, column);
    } else {
      listed.set(name, cells);
    }
  }
  const names = [...columns.keys()];
  const shown = names.flatMap((name) => behindFolders(name, listed.get(name)));
  const others = names.flatMap((name) => {
    const column = told.get(name);
    return column ? [{ name, ...column }] : [];
  });
  const [code] = shown
    .map(({ title }) => title)
    .filter((title) => form.namesCodes && codeRank(title))
    .sort((a, b) => compareRanks(codeRank(a), codeRank(b)));
  const notes = others.map(({ note }) => note).join(form.comma);
  const titles = shown.map(({ title }) => title).join(', ');
  return {
    told: new Set(told.keys()),
    head: [`[in each row ${titles}${notes === '' ? '' : `; unless it says otherwise ${notes}`}]`],
    render: (row) =>
      [
        ...shown.map(({ title, cells }) =>
          title === code ? form.named(title, cells[row] ?? MISSING) : cellOf(cells, row, form),
        ),
        ...others
          .filter(({ isTold }) => !isTold(row))
          .map(({ name, cells }) => form.named(name, cellOf(cells, row, form))),
      ].join(form.comma),
  };
}

/** A cell as it is shown. Cells are compared whole, or else a cut one would differ from a whole one. */
function cellOf(cells: Cells, row: number, { isKept }: LineForm): string {
  const cell = cells[row] ?? MISSING;
  return TEXT.test(cell.slice(0, 24)) && !isKept(row) ? shorten(cell, MAX_TEXT, 20) : cell;
}

/** A column of which most cells are the same; undefined for others. */
function usualColumn(name: string, cells: Cells, { named }: LineForm): ToldColumn | undefined {
  const most = mostFrequent(cells);
  const usual = cells.map((cell) => cell === most);
  return areMost(usual)
    ? {
        cells,
        note: (most === undefined ? `no ${name}` : named(name, most)) + countOf(usual),
        isTold: (row) => usual[row] === true,
      }
    : undefined;
}

/** A column of which most cells are those of another one, or follow from them; undefined for others. */
function followingColumn(
  name: string,
  cells: Cells,
  listed: ReadonlyMap<string, Cells>,
): ToldColumn | undefined {
  for (const [other, keys] of listed) {
    const same = cells.map((cell, row) => cell === keys[row]);
    if (areMost(same)) {
      return {
        cells,
        note: `${name} like ${other}${countOf(same)}`,
        isTold: (row) => same[row] === true,
      };
    }
    const around = textAround(name, cells, other, keys);
    if (around) {
      return around;
    }
    if (charsOf(cells) >= cells.length * MIN_TOLD_CHARS && tells(keys, cells)) {
      return {
        cells,
        note: `${name} as in the first row with its ${other}`,
        isTold: (row) => keys.indexOf(keys[row]) < row,
      };
    }
  }
  return undefined;
}

/** A column of which most cells have the same text around a cell of another one: the addresses of what has that id. */
function textAround(name: string, cells: Cells, other: string, keys: Cells): ToldColumn | undefined {
  const values = keys.map((key = '') => key.replace(/^"|"$/g, ''));
  const [cell = ''] = cells;
  const [value = ''] = values;
  const at = cell.lastIndexOf(value);
  const [before, behind] = [cell.slice(0, at), cell.slice(at + value.length)];
  if (at < 0 || value.length < MIN_KEY_CHARS || before.length + behind.length < MIN_TOLD_CHARS) {
    return undefined;
  }
  const same = cells.map((each, row) => values[row] !== '' && each === before + values[row] + behind);
  return areMost(same)
    ? {
        cells,
        note: `${name} ${before}{${other}}${behind}${countOf(same)}`,
        isTold: (row) => same[row] === true,
      }
    : undefined;
}

function charsOf(cells: Cells): number {
  return cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
}

function areMost(rows: readonly boolean[]): boolean {
  return rows.filter(Boolean).length >= rows.length * MIN_USUAL;
}

/** How many of the rows it is, unless all. */
function countOf(rows: readonly boolean[]): string {
  const count = rows.filter(Boolean).length;
  return count === rows.length ? '' : ` (${count})`;
}

/** Whether cells follow from those of another column, of which some come again. */
function tells(keys: Cells, cells: Cells): boolean {
  const known = new Map<string | undefined, string | undefined>();
  keys.forEach((key, row) => known.set(key, known.has(key) ? known.get(key) : cells[row]));
  return known.size <= keys.length * MAX_KEYS && keys.every((key, row) => known.get(key) === cells[row]);
}

function cutHash(cell: string): string {
  return cell.replace(/"/g, '').slice(0, HASH_CHARS);
}

/** A column that is listed, without the folders that all its paths have in common; none for other columns. */
function behindFolders(name: string, cells: Cells = []): { readonly title: string; readonly cells: Cells }[] {
  if (cells.length > 0 && cells.every((cell) => cell !== undefined && HASH.test(cell))) {
    return [
      { title: `${name} cut to ${HASH_CHARS} characters`, cells: cells.map((cell) => cutHash(cell ?? '')) },
    ];
  }
  const paths = cells.filter((cell) => cell !== undefined);
  const arePaths = paths.length === cells.length && paths.every((path) => /^["\w./~]/.test(path));
  const common = arePaths ? commonFolders(paths) : '';
  if (cells.length === 0 || common.length < MIN_COMMON_CHARS) {
    return cells.length === 0 ? [] : [{ title: name, cells }];
  }
  return [
    {
      title: `${name} behind ${common.replace(/^"/, '')}`,
      cells: paths.map((path) => path.slice(common.length).replace(/"$/, '')),
    },
  ];
}
