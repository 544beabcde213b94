import { templateOf } from '../kit/line-template.js';
import { cellNumber, endingOf, firstPart, quartiles, shapeOf } from '../rows/cell-values.js';

/** Lines of one template: equal except for numbers, names or times. */
export interface LineGroup {
  /** Words of the lines, `#` for numbers and the like, `*` for words in which joined groups differ. */
  readonly template: string;
  /** Indexes of the lines, ascending. */
  readonly lines: number[];
}

/** Number of templates below which comparing them gains nothing. */
const MIN_TEMPLATES = 24;

/** Templates of one bucket that a new one is compared with. Keeps the work linear in the number of templates. */
export const MAX_CANDIDATES = 24;

/** Share of equal words from which on two templates are joined. */
const MIN_SIMILAR = 0.6;

/** Groups that were joined, and the words that all of them have. */
interface Joined {
  readonly group: LineGroup;
  words: string[];
}

/**
 * Joins groups whose templates differ in a few words, such as names (Drain's similarity; He et al., 2017).
 * @param mayJoin whether an example may stand for the lines of a group
 */
export function joinSimilar(
  groups: readonly LineGroup[],
  mayJoin: (group: LineGroup) => boolean,
): LineGroup[] {
  if (groups.length < MIN_TEMPLATES) {
    return [...groups];
  }
  const joined: Joined[] = [];
  const buckets = new Map<string, Joined[]>();
  const byRest = new Map<string, Joined>();
  for (const group of groups) {
    const words = group.template.split(' ');
    if (!mayJoin(group) || words.length < 2) {
      joined.push({ group, words });
      continue;
    }
    const [start, end] = [bucketOf(words), endOf(words)];
    const rest = restOf(words);
    const similarIn = (key: string): Joined | undefined =>
      buckets.get(key)?.find((candidate) => isSimilar(candidate.words, words));
    const match = similarIn(start) ?? (rest === undefined ? undefined : byRest.get(rest)) ?? similarIn(end);
    if (match) {
      group.lines.forEach((line) => match.group.lines.push(line));
      match.words = match.words.map((word, index) => (word === words[index] ? word : '*'));
      continue;
    }
    const own = { group: { template: group.template, lines: [...group.lines] }, words };
    joined.push(own);
    if (rest !== undefined && !byRest.has(rest)) {
      byRest.set(rest, own);
    }
    addCandidate(buckets, start, own);
    addCandidate(buckets, end, own);
  }
  return joined.map(({ group, words }) => ({
    template: words.join(' '),
    lines: group.lines.sort((a, b) => a - b),
  }));
}

function addCandidate(buckets: Map<string, Joined[]>, key: string, own: Joined): void {
  const candidates = buckets.get(key);
  if (!candidates) {
    buckets.set(key, [own]);
  } else if (candidates.length < MAX_CANDIDATES) {
    candidates.push(own);
  }
}

/** Groups from which on they differ in names: the reasons of failures are fewer. */
const MIN_NAMED = 12;

/**
 * Joins groups whose templates differ in names, of which there are many. One that comes once where others come again may
 * differ in something else.
 */
export function joinNamed(groups: readonly LineGroup[]): LineGroup[] {
  const singles = groups.filter(({ lines }) => lines.length === 1).length;
  const joined = joinSimilar(groups, ({ lines }) => lines.length > 1 || singles > groups.length / 2);
  const groupOf = new Map(groups.map((group) => [group.lines[0] ?? 0, group]));
  return joined.flatMap((group) => {
    const parts = group.lines.flatMap((line) => groupOf.get(line) ?? []);
    return parts.length < MIN_NAMED ? parts : [group];
  });
}

/** Different names in the lines of joined groups that are listed, and their characters in all. */
const MAX_NAMES = 60;
const MAX_NAMES_CHARS = 500;

/** The names in which the lines of joined groups differ, if it is one word: none if there are too many. */
export function namesOf({ template, lines }: LineGroup, textOf: (line: number) => string): string[] {
  const words = template.split(' ');
  const slot = words.indexOf('*');
  const names = new Set<string>();
  let chars = 0;
  for (const line of slot < 0 || slot !== words.lastIndexOf('*') ? [] : lines) {
    const own: string[] = [];
    templateOf(textOf(line), own);
    const name = own[slot] ?? '';
    chars += names.has(name) ? 0 : name.length + 2;
    names.add(name);
    if (names.size > MAX_NAMES || chars > MAX_NAMES_CHARS) {
      return [];
    }
  }
  return [...names];
}

/**
 * Key of the templates that are compared with each other: those with equal length and first word, or, if numbers make
 * up most of them, with numbers at the same places.
 */
function bucketOf(words: readonly string[]): string {
  const constant = words.filter((word) => word !== '#').length;
  return constant <= words.length / 2
    ? words.map((word) => (word === '#' ? '#' : '*')).join('')
    : `${words.length} ${words.find((word) => word !== '#') ?? ''}`;
}

/** The same of templates that begin with a name: those with equal length and last word. */
function endOf(words: readonly string[]): string {
  return `${words.length} … ${words.findLast((word) => word !== '#') ?? ''}`;
}

/** Words behind a name at the beginning, from which on they tell what is said of it: `worker: listening on #`. */
const MIN_REST = 2;

/** The words behind the first one, by which lines are alike that differ in it; undefined if they say too little. */
function restOf([, ...rest]: readonly string[]): string | undefined {
  return rest.filter((word) => /[a-z]{2}/i.test(word)).length >= MIN_REST ? rest.join(' ') : undefined;
}

/** Whether most words of two texts of equal length are the same, place by place. */
export function isSimilar(a: readonly string[], b: readonly string[]): boolean {
  let equal = 0;
  for (let i = 0; i < a.length; i++) {
    equal += a[i] === b[i] ? 1 : 0;
  }
  return equal >= a.length * MIN_SIMILAR;
}

/** Of lines with the same text the first. */
export function firstOfEach(lines: readonly number[], textOf: (line: number) => string): number[] {
  return [...Map.groupBy(lines, textOf).values()].flatMap((same) => same.slice(0, 1));
}

/** Number of different values of a word up to which the first line with each is shown. */
const FEW_VALUES = 5;

/** Lines that are shown of a ranking, whose largest amounts come first. */
const TOP = 10;

/** A line with its words. */
interface LineWords {
  readonly line: number;
  readonly template: string;
  readonly words: readonly string[];
}

/**
 * Unusual lines of a group: rare values of a word with few values, and outliers among numbers. Where groups were joined,
 * those of each as well: one `size` among others says nothing beside the numbers of all ports.
 */
export function unusualLines({ template, lines }: LineGroup, textOf: (line: number) => string): Set<number> {
  const rows = lines.map((line): LineWords => {
    const words: string[] = [];
    return { line, template: templateOf(textOf(line), words), words };
  });
  const joined = template.includes('*') ? [...Map.groupBy(rows, (row) => row.template).values()] : [];
  const parts = joined.filter(({ length }) => length >= SOME_LINES);
  return new Set([rows, ...parts].flatMap(unusualOf));
}

function unusualOf(rows: readonly LineWords[]): number[] {
  const width = rows[0]?.words.length ?? 0;
  return Array.from({ length: width }, (_, slot) => {
    const valueOf = (row: number): string => rows[row]?.words[slot] ?? '';
    const values = Map.groupBy(rows.keys(), valueOf);
    return [
      ...rowsThatStandOut(values, rows.length, valueOf),
      ...rowOfMost(values, rows.length, (row) => rows[row]?.words[slot + 1] ?? ''),
    ];
  }).flatMap((found) => found.map((row) => rows[row]?.line ?? 0));
}

function rowsThatStandOut(
  values: ReadonlyMap<string, readonly number[]>,
  total: number,
  valueOf: (row: number) => string,
): number[] {
  if (values.size === 1) {
    return [];
  }
  const firsts = [...values.values()].map((rows) => rows[0] ?? 0);
  if (values.size <= FEW_VALUES && total > FEW_VALUES * 2) {
    return firsts;
  }
  if (values.size <= Math.min(30, total / 4)) {
    const rare = [...values.values()].filter((rows) => rows.length <= Math.max(1, total * 0.02));
    return rare
      .sort((a, b) => a.length - b.length)
      .slice(0, 6)
      .map((rows) => rows[0] ?? 0);
  }
  const odd = [shapeOf, firstPart, endingOf, signOf].flatMap((kindOf) =>
    rowsOfOddKind(values, total, kindOf),
  );
  const amounts = Array.from({ length: total }, (_, row) => ({
    row,
    amount: cellNumber(valueOf(row)),
  })).flatMap(({ row, amount }) => (amount === undefined ? [] : [{ row, amount }]));
  if (amounts.length < total * 0.9) {
    return odd;
  }
  const sorted = amounts.toSorted((a, b) => a.amount - b.amount);
  if (amounts.every(({ amount }, at) => amount === sorted.at(-1 - at)?.amount)) {
    return [...odd, ...amounts.slice(0, TOP).map(({ row }) => row)];
  }
  const { low, high } = quartiles(sorted);
  const above = sorted.filter(({ amount }) => amount > high).slice(-3);
  const below = sorted.filter(({ amount }) => amount < low).slice(0, 1);
  return [...odd, ...[...above, ...below].map(({ row }) => row)];
}

/** Units that stand behind a number as a word of their own. */
const UNIT = /^(?:%|[mµun]?s|sec|seconds|[kKMGT]?i?B|bytes)$/;

/** The one row with the largest of many measurements, such as `12 ms` and `1.5`; bare numbers may be ports or ids. */
function rowOfMost(
  values: ReadonlyMap<string, readonly number[]>,
  total: number,
  nextWordOf: (row: number) => string,
): readonly number[] {
  let most = -Infinity;
  let rowsOfMost: readonly number[] = [];
  for (const [value, rows] of total < MANY_LINES ? [] : values) {
    const amount = cellNumber(value);
    if (amount === undefined || !(/\D/.test(value) || UNIT.test(nextWordOf(rows[0] ?? 0)))) {
      return [];
    }
    if (amount > most) {
      most = amount;
      rowsOfMost = rows;
    }
  }
  return rowsOfMost.length === 1 ? rowsOfMost : [];
}

/** Lines from which on the only one with a value of another kind stands out. */
const SOME_LINES = 12;

/** Lines from which on a kind of value that hardly any of them has stands out. */
const MANY_LINES = 24;

/** Share of the lines up to which a kind is odd, kinds that values with kinds have, and lines that are shown of each. */
const ODD_SHARE = 0.003;
const MAX_KINDS = 30;
const MAX_ODD = 3;

/** Share of the lines up to which those of odd kinds stand out: of names with a shape of its own each, none does. */
const MAX_ODD_SHARE = 0.1;

/** Rows whose values differ in kind from nearly all others: the one path in another folder, the one odd address. */
function rowsOfOddKind(
  values: ReadonlyMap<string, readonly number[]>,
  total: number,
  kindOf: (value: string) => string,
): readonly number[] {
  if (total < MANY_LINES) {
    return total < SOME_LINES ? [] : theOddOne(values, kindOf);
  }
  const kinds = new Map<string, number[]>();
  const most = Math.max(1, total * ODD_SHARE);
  for (const [value, rows] of values) {
    const kind = kindOf(value);
    const same = kinds.get(kind);
    if (!same) {
      kinds.set(kind, rows.slice(0, most + 1));
    } else if (same.length <= most) {
      same.push(...rows.slice(0, most + 1));
    }
    if (kinds.size > MAX_KINDS) {
      return [];
    }
  }
  const odd = [...kinds.values()].filter((rows) => rows.length <= most);
  return odd.flat().length <= total * MAX_ODD_SHARE ? odd.flatMap((rows) => rows.slice(0, MAX_ODD)) : [];
}

/** The row whose value differs in kind from those of all others, which are of one kind. */
function theOddOne(
  values: ReadonlyMap<string, readonly number[]>,
  kindOf: (value: string) => string,
): readonly number[] {
  const kinds = [...Map.groupBy(values, ([value]) => kindOf(value)).values()].map((same) =>
    same.flatMap(([, rows]) => rows),
  );
  return kinds.length === 2 ? (kinds.find((rows) => rows.length === 1) ?? []) : [];
}

/** Whether a number is zero or negative, which hardly any may be. */
function signOf(value: string): string {
  return /^-?0*(?:\.0*)?$/.test(value) ? '0' : value.startsWith('-') ? '-' : '+';
}
