import { cellNumber, endingOf, isEmpty } from './cell-values.js';
import { type Columns } from './column-cells.js';
import { type ColumnProfile } from './column-profile.js';
import { commonFolders } from './common-folders.js';
import { codeRank, compareRanks, titleRank } from './naming-columns.js';

/** Length of common folders from which on they are written once. */
const MIN_COMMON_CHARS = 24;

/** Rows up to which their codes stand beside their names, the characters of all codes, and of the longest. */
const MAX_CODED = 120;
const MAX_CODES_CHARS = 2400;
const MAX_CODE_CHARS = 44;

/** Share of different codes from which on they say something of each row. */
const MIN_CODES_SHARE = 0.5;

const HEX_ID = /^"?[0-9a-f-]{8,64}"?$/i;

/**
 * Made-up ids, in which letters and digits alternate, and the share of them that makes a column one of ids. A file is no
 * id although its name ends in a hash.
 */
const MADE_UP = /(?=[A-Za-z0-9]{10})[A-Za-z]{0,30}\d{1,30}[A-Za-z]{1,30}\d/;
const MIN_MADE_UP = 0.9;

/** What the rows are called. */
export interface RowNames {
  /** Lists for the summary, such as `key and title in order: "A-1" "Slow report", …`. */
  readonly lists: readonly string[];
  /** The columns that these lists hold. */
  readonly columns: Columns;
}

/**
 * Lists what tells rows apart: of paths the first column, and the best of other names, each behind its number, key,
 * version or id, by which a next call asks for it.
 * @param left the column that is listed elsewhere
 */
export function rowNames(profiles: readonly ColumnProfile[], columns: Columns, left?: string): RowNames {
  const named = profiles.filter(
    ({ name, labels }) =>
      name !== left && labels !== undefined && !labels.every((label) => HEX_ID.test(label)),
  );
  const paths = named.find(
    ({ labels = [] }) => labels.every((label) => label.includes('/')) && !areMadeUp(labels),
  );
  const others = named.filter((profile) => profile !== paths).sort(byNaming);
  const names = others.find(({ name }) => titleRank(name)) ?? (paths ? undefined : others[0]);
  const listed = new Map<string, readonly (string | undefined)[]>();
  const lists = [paths, names].flatMap((profile) => {
    if (!profile) {
      return [];
    }
    const { name, labels = [] } = profile;
    const code = profile === names && titleRank(name) ? codeOf(name, columns) : undefined;
    const codes = code === undefined ? undefined : columns.get(code);
    listed.set(name, labels);
    if (code !== undefined && codes) {
      listed.set(code, codes);
    }
    return codes
      ? [`${code} and ${name} in order: ${joined(labels.map((label, row) => `${codes[row]} ${label}`))}`]
      : [`${name} in order${namesInOrder(labels)}`];
  });
  return { lists, columns: listed };
}

/** Titles first; of the others those that are words, and of ids those of the rows themselves. */
function byNaming(a: ColumnProfile, b: ColumnProfile): number {
  const [titleA, titleB] = [titleRank(a.name), titleRank(b.name)];
  if (titleA ?? titleB) {
    return compareRanks(titleA, titleB);
  }
  const [madeUpA, madeUpB] = [a, b].map(({ labels = [] }) => Number(areMadeUp(labels)));
  const difference = (madeUpA ?? 0) - (madeUpB ?? 0);
  return difference !== 0 || madeUpA === 0 ? difference : compareRanks(codeRank(a.name), codeRank(b.name));
}

function areMadeUp(labels: readonly string[]): boolean {
  const madeUp = labels.filter(
    (label) => endingOf(label) === '' && MADE_UP.test(label.slice(label.lastIndexOf('/') + 1)),
  );
  return madeUp.length >= labels.length * MIN_MADE_UP;
}

/**
 * The column of the rows' codes; undefined if these are many, long, or no more than the numbers of the rows. Beside codes
 * that are counted, others are those of what the rows belong to.
 */
function codeOf(names: string, columns: Columns): string | undefined {
  const cellsOf = (name = ''): readonly (string | undefined)[] => columns.get(name) ?? [];
  const code = [...columns.keys()]
    .filter((name) => name !== names && codeRank(name))
    .sort((a, b) => compareRanks(codeRank(a), codeRank(b)))
    .find((name) => areCounted(cellsOf(name)) || areCodes(cellsOf(name)));
  return areCounted(cellsOf(code)) ? undefined : code;
}

function areCodes(cells: readonly (string | undefined)[]): boolean {
  const codes = cells.filter((cell) => cell !== undefined && !isEmpty(cell) && cell.length <= MAX_CODE_CHARS);
  return (
    codes.length === cells.length &&
    cells.length <= MAX_CODED &&
    codes.join('').length <= MAX_CODES_CHARS &&
    new Set(codes).size >= codes.length * MIN_CODES_SHARE
  );
}

/** Whether codes are counted up or down from row to row, so that the ends tell them all. */
function areCounted(codes: readonly (string | undefined)[]): boolean {
  const amounts = codes.map((code = '') => cellNumber(code) ?? NaN);
  const step = (amounts[1] ?? NaN) - (amounts[0] ?? NaN);
  return Math.abs(step) === 1 && amounts.every((amount, row) => amount === (amounts[0] ?? NaN) + row * step);
}

/** Names of all rows; folders that all have in common once. */
function namesInOrder(names: readonly string[]): string {
  const common = commonFolders(names);
  const isBehind = common.length >= MIN_COMMON_CHARS;
  const shown = isBehind ? names.map((name) => unquoted(name.slice(common.length))) : names;
  return `${isBehind ? `, each behind ${unquoted(common)}` : ''}: ${joined(shown)}`;
}

/** Titles in text stand in no quotes, and may have commas. */
function joined(names: readonly string[]): string {
  return names.join(names.some((name) => !name.startsWith('"') && name.includes(', ')) ? ' | ' : ', ');
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, '');
}
