import { mostFrequent } from '../kit/most-frequent.js';
import { cellNumber, cellTime } from '../rows/cell-values.js';
import { type LabelledPath } from './labelled-lines.js';

/** Share of the labels that must have a property for it to be one of the column. */
const MIN_SHARE = 0.9;

export const CHECKSUM = /^[0-9a-f]{32,128}$/;

export interface LabelledColumns {
  /** The words that nearly all labels have in the same places. */
  readonly usual: readonly string[];
  readonly hasChecksums: boolean;
  /** With what is left of their labels; those with another word in place of a usual one as they were. */
  readonly entries: readonly LabelledPath[];
}

/**
 * Reads labels of several words as columns (`git ls-tree`, `git diff --numstat`, `wc`, `find -printf`), and takes those
 * out that tell no path from another: words that nearly all have, and checksums. The numbers that are left are its
 * amounts.
 */
export function readLabelColumns(found: readonly LabelledPath[]): LabelledColumns {
  const rows = found.map(({ label }) => label.split(/\s+/));
  const width = mostFrequent(rows.map(({ length }) => length)) ?? 0;
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  const isMost = (count: number): boolean => count >= found.length * MIN_SHARE;
  const areChecksums = columns.map((column) => isMost(column.filter((word) => CHECKSUM.test(word)).length));
  const usual = columns.map((column, at) => {
    const word = mostFrequent(column) ?? '';
    return !areChecksums[at] && isMost(column.filter((other) => other === word).length) ? word : undefined;
  });
  const entries = found.map((entry, index) => {
    const words = rows[index] ?? [];
    const isUsual =
      words.length === width && usual.every((word, at) => word === undefined || word === words[at]);
    return isUsual
      ? withWords(
          entry,
          words.filter((_, at) => usual[at] === undefined && areChecksums[at] !== true),
        )
      : { ...entry, amounts: undefined };
  });
  return {
    usual: usual.filter((word) => word !== undefined),
    hasChecksums: areChecksums.includes(true),
    entries,
  };
}

function withWords(entry: LabelledPath, words: readonly string[]): LabelledPath {
  const amounts = words
    .map((word) => cellNumber(word) ?? cellTime(word))
    .filter((amount) => amount !== undefined);
  // Times begin with a number as well. A name makes the line one about something else than the path.
  const areFigures = amounts.length > 0 && words.every((word) => /^\d/.test(word));
  return { ...entry, label: words.join(' '), amounts: areFigures ? amounts : undefined };
}
