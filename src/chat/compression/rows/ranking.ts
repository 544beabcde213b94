import { cellNumber } from './cell-values.js';
import { type Columns } from './column-cells.js';

/** Rows up to which each is listed with its score. */
const MAX_RANKED = 100;

/** Longest name of a row; longer ones are texts. */
const MAX_NAME_CHARS = 160;

/** Scores, the best first: a rank only counts the rows. */
const SCORES: readonly RegExp[] = [
  /(?:^|[._])(?:[a-z\d]*score|similarity|relevance|distance)(?:\.(?:final|total|value))?$/i,
  /(?:^|[._])rank$/i,
];

/** Columns that say what a row is, the best first. */
const NAMES: readonly RegExp[] = [
  /(?:^|[._])(?:path|file|filepath|file_path|filename|uri|url|href)$/i,
  /(?:^|[._])(?:title|name|key|slug)$/i,
  /(?:^|[._])_?id$/i,
];

/** The rows in the order of a ranking. */
export interface Ranking {
  /** The column that names the rows. */
  readonly column: string;
  /** Name and score of each row. */
  readonly text: string;
}

/**
 * Name and score of each row of search results: the reader compares them all, so they are no repetition.
 * @returns undefined for other rows
 */
export function rankingOf(total: number, columns: Columns): Ranking | undefined {
  const names = [...columns.keys()];
  const score = bestName(SCORES, names, (name) => isSorted(columns.get(name) ?? []));
  const what = score && bestName(NAMES, names);
  if (score === undefined || what === undefined || total > MAX_RANKED) {
    return undefined;
  }
  const labels = columns.get(what) ?? [];
  const scores = columns.get(score) ?? [];
  const pairs = labels.map((label, row) => `${label ?? '–'} ${scores[row] ?? '–'}`);
  return labels.some((label) => (label?.length ?? 0) > MAX_NAME_CHARS)
    ? undefined
    : { column: what, text: `[${what} and ${score} of all rows: ${pairs.join(', ')}]` };
}

/** The first name that the first pattern takes, or else the next one. */
function bestName(
  patterns: readonly RegExp[],
  names: readonly string[],
  test: (name: string) => boolean = () => true,
): string | undefined {
  return patterns.map((pattern) => names.find((name) => pattern.test(name) && test(name))).find(Boolean);
}

/** Whether scores rise or fall from row to row, as in results of a search. */
function isSorted(scores: readonly (string | undefined)[]): boolean {
  const amounts = scores.map((score) => cellNumber(score ?? '') ?? NaN);
  const steps = amounts.slice(1).map((amount, row) => amount - (amounts[row] ?? NaN));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}
