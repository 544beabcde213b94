import { quantity } from '../kit/gap.js';
import { type ColumnProfile } from './column-profile.js';

/** Rows up to which all of them may be shown. */
const MAX_ROWS = 120;

/** How much longer than a selection all rows may be to be shown instead: what is not left out need not be asked for. */
const WORTH = 1.3;

/** Share of the rows that a selection must show, with its gaps: of more regular ones it says what there is to say. */
const MIN_SHOWN = 0.3;

/** Different values up to which they are counted below rows that are all shown. */
const MAX_COUNTED = 10;

/** All rows, each in a line as short as can be. */
export interface RowLines {
  /** Lines that tell how to read the others. */
  readonly head: readonly string[];
  readonly render: (row: number) => string;
  /** Names of the columns whose values the head counts. */
  readonly told: ReadonlySet<string>;
  /** Whether each row is worth its room. */
  readonly areWanted?: boolean;
}

/**
 * All rows, where a selection hardly takes less: it would leave out rows without saving anything.
 * @param selected the lines of the selection
 * @param lines is asked only if the rows may all be shown
 * @param profiles of their columns, of which those with a few values are counted
 */
export function allRows(
  total: number,
  selected: readonly string[],
  lines: () => RowLines | undefined,
  profiles: readonly ColumnProfile[],
  note: string,
): string[] | undefined {
  const form = total <= MAX_ROWS ? lines() : undefined;
  if (!form || (form.areWanted !== true && selected.length < total * MIN_SHOWN)) {
    return undefined;
  }
  const all = [
    ...form.head,
    ...Array.from({ length: total }, (_, row) => form.render(row)),
    `[${quantity(total, 'rows')} in all${note}${countsOf(profiles, form.told)}]`,
  ];
  return form.areWanted === true || charsOf(all) <= charsOf(selected) * WORTH ? all : undefined;
}

function charsOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

function countsOf(profiles: readonly ColumnProfile[], told: ReadonlySet<string>): string {
  return profiles
    .filter(({ kind, distinct, name }) => kind === 'categories' && distinct <= MAX_COUNTED && !told.has(name))
    .map(({ name, summary }) => `; ${name}: ${summary}`)
    .join('');
}
