import { DECLARATORS, MODIFIERS } from '../kit/declarations.js';
import { gap, quantity, shorten } from '../kit/gap.js';
import { inSequence } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { alikeMatches } from './alike-matches.js';
import { type FoundMatches, type Match, parseMatches } from './match-lines.js';

/** Number of matches up to which all are kept. */
const KEEP_ALL = 100;

/** Matches that are kept of each file beyond that; fewer if there are more than `MANY` in all. */
const PER_FILE = 12;
const PER_FILE_MANY = 6;
const MANY = 400;

/** Number of files above which each file shows one match. */
const MANY_FILES = 120;

const MAX_LINE = 160;

/** The same beside the lines around it: longer ones, as in minified files, are not read. */
const MAX_CONTEXT_LINE = 1000;

/** Line numbers of omitted matches that are listed. */
const MAX_NUMBERS = 20;

/** Lines that declare something in the usual languages. */
const DECLARING = inSequence([
  /^[ \t]{0,20}/,
  new RegExp(`(?:(?:${[...MODIFIERS, 'default'].join('|')}) )*`),
  new RegExp(`(?:${[...DECLARATORS, 'module', 'namespace'].join('|')}) `),
]);

/** A constant within a function, whose value is a use of what was searched for. */
const LOCAL = /^[ \t]{1,60}const /;

/**
 * Matches of a search, grouped by file: every file with its number of matches, the first matches in full, and the
 * line numbers of the others. Equal lines of a file are shown once. Lines around matches were asked for to read them, so
 * all of them are kept, below the name of their file, unless there are many matches.
 */
export const searchMatchesStrategy: Strategy = {
  rule: 'search_matches',
  condense: (text, { use }) => {
    const found = parseMatches(text, use);
    if (!found) {
      return undefined;
    }
    const files = Map.groupBy(found.matches, ({ path }) => path);
    const total = found.matches.length;
    const around = found.context.length;
    const isWhole = around > 0 && total <= KEEP_ALL;
    const perFile = perFileLimit(total, files.size);
    const { legend, labels } = alikeMatches(
      total > KEEP_ALL ? found.matches : [],
      ({ place, content }) => place !== '' && !isDeclaration(content),
      ({ content }) => shorten(content.trim(), MAX_LINE, 20),
    );
    const parts = isWhole
      ? renderWithContext(found)
      : [...legend, ...[...files].map(([path, matches]) => renderFile(path, matches, { perFile, labels }))];
    const omitted = around > 0 && !isWhole ? `; ${quantity(around, 'lines')} around them omitted` : '';
    const head = `[${quantity(total, 'matches')} in ${quantity(files.size, 'files')}${omitted}]`;
    return [head, ...parts, ...found.rest].join('\n');
  },
};

/** Matches and the lines around them as a search prints them under headings: `12:` for a match, `13-` for others. */
function renderWithContext({ matches, context }: FoundMatches): string[] {
  const lines = [
    ...matches.map((match) => ({ ...match, sign: ':' })),
    ...context.map((line) => ({ ...line, sign: '-' })),
  ];
  return [...Map.groupBy(lines, ({ path }) => path)].flatMap(([path, ofFile]) => [
    path,
    ...ofFile
      .sort((a, b) => Number.parseInt(a.place) - Number.parseInt(b.place))
      .map(({ place, sign, content }) => `${place}${sign}${shorten(content, MAX_CONTEXT_LINE, 20)}`),
  ]);
}

function isDeclaration(content: string): boolean {
  return DECLARING.test(content.slice(0, 200)) && !LOCAL.test(content.slice(0, 70));
}

function perFileLimit(total: number, files: number): number {
  if (total <= KEEP_ALL) {
    return Infinity;
  }
  if (files > MANY_FILES) {
    return 1;
  }
  return total > MANY ? PER_FILE_MANY : PER_FILE;
}

interface FileForm {
  /** Matches that are shown. */
  readonly perFile: number;
  /** Labels of those that are told by an example. */
  readonly labels: ReadonlyMap<Match, string>;
}

function renderFile(path: string, all: readonly Match[], { perFile, labels }: FileForm): string {
  const alike = Map.groupBy(all, (match) => labels.get(match) ?? '');
  const matches = alike.get('') ?? [];
  const shown = chooseMatches(matches, perFile);
  const hidden = matches.filter((match) => !shown.has(match));
  const told = [...alike]
    .filter(([label]) => label !== '')
    .map(([label, of]) => `${label} ${of.map(({ place }) => place).join(' ')}`);
  const lines = [...shown].map(({ place, content }) => {
    const text = shorten(content.trim(), MAX_LINE, 20);
    return place === '' ? text : `${place}: ${text}`;
  });
  if (all.length === 1) {
    return `${path}: ${lines[0] ?? told[0] ?? ''}`;
  }
  const head = [`${path} (${quantity(all.length, 'matches')}):`, told.join('; ')].join(' ').trimEnd();
  return [head, ...lines.map((line) => ` ${line}`), ...hiddenLines(hidden)].join('\n');
}

/** Matches to show: each content once, declarations first, in the order of the file. */
function chooseMatches(matches: readonly Match[], limit: number): Set<Match> {
  const byContent = new Map(matches.toReversed().map((match) => [match.content.trim(), match]));
  const different = matches.filter((match) => byContent.get(match.content.trim()) === match);
  if (different.length <= limit) {
    return new Set(different);
  }
  const declaring = different.filter(({ content }) => isDeclaration(content));
  const first = new Set([...new Set([...declaring, ...different])].slice(0, limit));
  return new Set(different.filter((match) => first.has(match)));
}

function hiddenLines(hidden: readonly Match[]): string[] {
  if (hidden.length === 0) {
    return [];
  }
  const places = hidden.slice(0, MAX_NUMBERS).map(({ place }) => place);
  const at = places.some((place) => place !== '') ? `, lines ${places.join(' ')}` : '';
  const more = hidden.length > MAX_NUMBERS ? ' …' : '';
  return [` ${gap(hidden.length, 'more matches').slice(0, -1)}${at}${more}]`];
}
