import { quartiles } from '../rows/cell-values.js';
import { type Match } from './match-lines.js';

/** Matches of a kind from which on one of them tells the others. */
const MIN_ALIKE = 20;

/** Share of the matches that must have a word for it to be no name, and of the words of a match that may be names. */
const COMMON_SHARE = 0.05;
const MAX_NAMES = 0.34;

/** Characters of a match that are compared. */
const MAX_CHARS = 300;

const NUMBER = /\d{1,15}(?:\.\d{1,15})?/g;
const WORD = /\w{1,100}/g;

/** Matches that are alike but for names and numbers, told by the label of their kind. */
export interface AlikeMatches {
  /** An example for each label. */
  readonly legend: readonly string[];
  readonly labels: ReadonlyMap<Match, string>;
}

/** @param mayJoin whether an example may stand for a match */
export function alikeMatches(
  matches: readonly Match[],
  mayJoin: (match: Match) => boolean,
  example: (match: Match) => string,
): AlikeMatches {
  const counts = new Map<string, number>();
  for (const { content } of matches) {
    new Set(content.slice(0, MAX_CHARS).match(WORD)).forEach((word) =>
      counts.set(word, (counts.get(word) ?? 0) + 1),
    );
  }
  const isCommon = (word: string): boolean => (counts.get(word) ?? 0) >= matches.length * COMMON_SHARE;
  const kinds = Map.groupBy(matches.filter(mayJoin), ({ content }) => kindOf(content, isCommon));
  const frequent = [...kinds]
    .filter(([kind]) => kind !== '')
    .map(([kind, of]): [string, Match[]] => [kind, withoutOutliers(of)])
    .filter(([, of]) => of.length >= MIN_ALIKE)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([, of], index) => ({ label: `~${index + 1}`, of }));
  return {
    legend: frequent.map(({ label, of: [first, ...others] }) =>
      first ? `${label} = ${others.length + 1} like this: ${example(first)}` : '',
    ),
    labels: new Map(frequent.flatMap(({ label, of }) => of.map((match) => [match, label]))),
  };
}

/** A match without its names and numbers; empty if it is hardly more than these. */
function kindOf(content: string, isCommon: (word: string) => boolean): string {
  const text = content.trim().slice(0, MAX_CHARS);
  const words = text.match(WORD) ?? [];
  const names = words.filter((word) => !isCommon(word)).length;
  return names > words.length * MAX_NAMES
    ? ''
    : text.replace(WORD, (word) => (isCommon(word) && !/^\d/.test(word) ? word : '*'));
}

/** The matches without those that have a number far from the others in its place. */
function withoutOutliers(matches: readonly Match[]): Match[] {
  const numbers = matches.map(({ content }) => content.slice(0, MAX_CHARS).match(NUMBER)?.map(Number) ?? []);
  const odd = new Set<number>();
  for (let place = 0; place < (numbers[0]?.length ?? 0); place++) {
    const sorted = numbers
      .flatMap((of, row) => of.slice(place, place + 1).map((amount) => ({ row, amount })))
      .sort((a, b) => a.amount - b.amount);
    const { low, high } = quartiles(sorted);
    sorted.filter(({ amount }) => amount < low || amount > high).forEach(({ row }) => odd.add(row));
  }
  return matches.filter((_, row) => !odd.has(row));
}
