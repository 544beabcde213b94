import { cellNumber, cellTime } from './cell-values.js';
import { type Columns } from './column-cells.js';

/** Rows up to which each is listed, and characters of all of them. */
const MAX_PAIRS = 300;
const MAX_PAIRS_CHARS = 16_000;

/** Share of the names that must differ in more than digits: those of a series have ends that tell the rest. */
const MIN_NAMES_SHARE = 0.5;

/**
 * Name and value of each row where rows have nothing else, such as settings and their values: each says something of its
 * own, whichever value it has. Amounts are compared instead: their ends are shown.
 * @returns undefined for other rows, and where the names are a series
 */
export function rowPairs(total: number, columns: Columns): string | undefined {
  const [[what, names] = [], [value, values] = []] = columns;
  // Of an inner array, a column has the number of its items only.
  const areWhole = [...columns.keys()].every((name) => !name.includes('['));
  if (
    columns.size !== 2 ||
    !areWhole ||
    total > MAX_PAIRS ||
    !names?.every(isName) ||
    !values?.every(Boolean)
  ) {
    return undefined;
  }
  const kinds = new Set(names.map((name) => name?.replace(/\d{1,30}/g, '#')));
  const isSeries = kinds.size < total * MIN_NAMES_SHARE || new Set(names).size < total;
  const isRepeated = new Set(values).size === 1;
  const pairs = names.map((name, row) => `${name} ${values[row]}`);
  const text = `[${what} and ${value} of all rows: ${pairs.join(', ')}]`;
  return isSeries || isRepeated || text.length > MAX_PAIRS_CHARS ? undefined : text;
}

function isName(cell: string | undefined): boolean {
  return (
    cell !== undefined &&
    /^"?[A-Za-z_./@]/.test(cell) &&
    cellNumber(cell) === undefined &&
    cellTime(cell) === undefined
  );
}
