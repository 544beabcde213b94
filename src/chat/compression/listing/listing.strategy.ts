import { quantity } from '../kit/gap.js';
import { mostFrequent } from '../kit/most-frequent.js';
import { compilePattern, inSequence, type PatternTable } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { cellNumber } from '../rows/cell-values.js';
import { folderLines } from './path-folders.js';
import { sameNameLinks } from './same-name-links.js';

/** Number of entries below which a listing is left as it is. */
const MIN_ENTRIES = 12;

/**
 * Number of entries above which a folder shows size and date only of the first, the last, the largest and the
 * unusual.
 */
const KEEP_ALL = 100;
const HEAD = 5;
const TAIL = 2;
const LARGEST = 8;

/** Number of entries of all folders above which the dates of usual ones, and the folders themselves, are left out. */
const MANY = 300;

/** Share of the entries up to which a month or a year is unusual. */
const RARE_DATES = 0.02;

/** Dates as `ls` prints them. */
export const LISTED_DATES: PatternTable = {
  alternatives: [
    ['month first', /\w{3} {1,2}\d{1,2} {1,2}[\d:]{4,5}/, 'Sep  7 10:00'],
    ['ISO', /\d{4}-\d\d-\d\d \d\d:\d\d[^ ]{0,20}(?: [+-]\d{4})?/, '2025-09-07 10:00:00.000000000 +0200'],
    ['day first', /\d{1,2} \w{3} {1,2}[\d:]{4,5}/, '7 Sep 10:00'],
  ],
};

/**
 * A line of `ls -l`: mode, links, owner, group, size (or the numbers of a device), date, name. `find -ls` and `ls -is`
 * put inode and blocks before it;
 * `tar -tv` has no links, and a slash between owner and group.
 */
const ENTRY = inSequence([
  /^(?: {0,12}\d{1,20} {1,12}\d{1,12} {1,4})?([-dlbcps][-rwxsStT]{9}[.+@]?) {1,8}/,
  /(?:\d{1,6} {1,8}([^ ]{1,64}) {1,8}|([^ /]{1,64})\/)/,
  /([^ ]{1,64}) {1,12}/,
  /(\d{1,4}, {1,4}\d{1,4}|[\d.,]{1,20}[KMGTP]?) {1,4}/,
  new RegExp(`(${compilePattern(LISTED_DATES).source}) `),
  /(.{1,4000})$/,
]);

/** Kinds of entries by the first letters of their modes. */
const KINDS = [
  { letters: '-', name: 'files' },
  { letters: 'd', name: 'folders' },
  { letters: 'l', name: 'links' },
  { letters: 'bcps', name: 'others' },
];

interface Entry {
  readonly mode: string;
  readonly owner: string;
  readonly size: string;
  readonly date: string;
  readonly name: string;
}

/**
 * Long listings (`ls -l`, also `-R`): size, date and name of each entry; mode and owner only where they are unusual.
 * Of large folders most entries are listed by name only.
 */
export const listingStrategy: Strategy = {
  rule: 'listing',
  condense: (text) => {
    if (!mayBe(text, 0.3, (line) => readEntry(line) !== undefined)) {
      return undefined;
    }
    const lines = text.split('\n');
    const entries = lines.map(readEntry);
    const found = entries.filter((entry) => entry !== undefined);
    const filled = lines.filter((line) => line.trim() !== '').length;
    if (found.length < MIN_ENTRIES || found.length < filled * 0.5) {
      return undefined;
    }
    const modes = found.map(({ mode }) => mode);
    const usual = {
      file: mostFrequent(modes.filter((mode) => mode.startsWith('-'))) ?? '',
      folder: mostFrequent(modes.filter((mode) => mode.startsWith('d'))) ?? '',
      link: mostFrequent(modes.filter((mode) => mode.startsWith('l'))) ?? '',
      owner: mostFrequent(found.map(({ owner }) => owner)) ?? '',
    };
    const all = { ...usual, rare: found.length > MANY ? rareDates(found) : undefined };
    return [heading(modes, all), ...renderLines(lines, entries, all)].join('\n');
  },
};

/** First line, which counts the entries by kind, and explains the columns of the lines below it. */
function heading(modes: readonly string[], { file, folder, link, owner, rare }: Usual): string {
  const kinds = KINDS.map(({ letters, name }) => ({
    name,
    count: modes.filter((mode) => letters.includes(mode.charAt(0))).length,
  })).filter(({ count }) => count > 0);
  const counts =
    kinds.length > 1 ? ` (${kinds.map(({ name, count }) => quantity(count, name)).join(', ')})` : '';
  const shown = [file, folder, link].filter((mode) => mode !== '').join(' or ');
  const usual = `unless told otherwise mode ${shown}, owner ${owner}`;
  const dates = rare ? `; in folders of up to ${KEEP_ALL} entries dates, . and .. only if unusual` : '';
  return `[${quantity(modes.length, 'entries')}${counts} as size, date, name; ${usual}; link counts omitted${dates}]`;
}

interface Usual {
  readonly file: string;
  readonly folder: string;
  readonly link: string;
  readonly owner: string;
  /** Months or years of few entries; undefined if dates are shown. */
  readonly rare?: ReadonlySet<string> | undefined;
}

/** What tells old from new: the month of `Sep 7 10:00`, the year of `Sep 7 2024`, year and month of `2025-09-07`. */
function periodOf({ date }: Entry): string {
  return /\b\d{4}$/.exec(date)?.[0] ?? /^\d{4}-\d\d|[A-Z]\w\w/.exec(date)?.[0] ?? '';
}

function rareDates(entries: readonly Entry[]): ReadonlySet<string> {
  const periods = [...Map.groupBy(entries, periodOf)];
  return new Set(
    periods.filter(([, of]) => of.length <= entries.length * RARE_DATES).map(([period]) => period),
  );
}

function renderLines(
  lines: readonly string[],
  entries: readonly (Entry | undefined)[],
  usual: Usual,
): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length;) {
    let end = i;
    while (entries[end] !== undefined) {
      end++;
    }
    if (end > i) {
      const group = entries.slice(i, end).filter((entry) => entry !== undefined);
      renderEntries(group, usual).forEach((line) => out.push(line));
      i = end;
    } else {
      const line = lines[i] ?? '';
      if (line.trim() !== '') {
        out.push(line);
      }
      i++;
    }
  }
  return out;
}

/** Renders the entries of one folder; of a large one mostly the names. */
function renderEntries(entries: readonly Entry[], usual: Usual): string[] {
  if (usual.rare && entries.length <= KEEP_ALL) {
    return renderBriefly(entries, usual, usual.rare);
  }
  const large = new Set(
    entries.length > KEEP_ALL
      ? entries
          // The size of a link is that of its text.
          .filter(({ mode }) => !mode.startsWith('l'))
          .sort((a, b) => sizeOf(b) - sizeOf(a))
          .slice(0, LARGEST)
      : entries,
  );
  const isDetailed = (entry: Entry, index: number): boolean =>
    large.has(entry) || index < HEAD || index >= entries.length - TAIL || isUnusual(entry, usual);
  const brief = entries.filter((entry, index) => !isDetailed(entry, index));
  const detailed = entries.filter(isDetailed).map((entry) => renderEntry(entry, usual));
  if (brief.length === 0) {
    return detailed;
  }
  const { lines, others } = sameNameLinks(brief, nameOf);
  const names = folderLines(others.map(nameOf), { pathOf: (name) => name });
  return [
    ...detailed,
    `[… size and date of ${quantity(brief.length, 'entries')} omitted:]`,
    ...lines,
    ...names,
  ];
}

/** Unusual entries, and the sizes and names of the others in one line. */
function renderBriefly(entries: readonly Entry[], usual: Usual, rare: ReadonlySet<string>): string[] {
  const isOdd = (entry: Entry): boolean => isUnusual(entry, usual) || rare.has(periodOf(entry));
  const brief = entries.filter((entry) => !isOdd(entry) && !/^\.\.?\/?$/.test(entry.name));
  const { lines, others } = sameNameLinks(brief, nameOf);
  return [
    ...entries.filter(isOdd).map((entry) => renderEntry(entry, usual)),
    ...lines,
    ...(others.length > 0 ? [others.map((entry) => `${entry.size} ${nameOf(entry)}`).join(', ')] : []),
  ];
}

function nameOf({ mode, name }: Entry): string {
  return mode.startsWith('d') && !name.endsWith('/') ? `${name}/` : name;
}

function sizeOf({ size }: Entry): number {
  return cellNumber(size) ?? 0;
}

function isUnusual({ mode, owner }: Entry, usual: Usual): boolean {
  return owner !== usual.owner || mode !== usualMode(mode, usual);
}

/** The usual mode of what an entry is. */
function usualMode(mode: string, { file, folder, link }: Usual): string {
  return mode.startsWith('d') ? folder : mode.startsWith('l') ? link : file;
}

function renderEntry(entry: Entry, usual: Usual): string {
  const { mode, owner, size, date } = entry;
  const other = mode === usualMode(mode, usual) ? '' : ` ${mode}`;
  const whose = owner === usual.owner ? '' : ` ${owner}`;
  return `${size} ${date} ${nameOf(entry)}${other}${whose}`;
}

function readEntry(line: string): Entry | undefined {
  const match = ENTRY.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
  if (!match) {
    return undefined;
  }
  const [, mode = '', owner, member = '', group = '', size = '', date = '', name = ''] = match;
  // Double blanks and zero fractions of seconds only align columns.
  return {
    mode,
    owner: `${owner ?? member} ${group}`,
    size,
    date: date.replace(/ {2}/g, ' ').replace(/\.0{6,9}/, ''),
    name,
  };
}
