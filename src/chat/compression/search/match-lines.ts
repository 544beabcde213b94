import { inSequence } from '../kit/pattern-table.js';
import { type ToolUse } from '../kit/tool-use.js';
import { mayBe } from '../protection/line-sample.js';

/** One match of a search, or a line around one. */
export interface Match {
  readonly path: string;
  /** Line number, with the column if there is one: `12` or `12:5`; empty if the search printed none. */
  readonly place: string;
  readonly content: string;
}

export interface FoundMatches {
  readonly matches: readonly Match[];
  /** Lines around the matches that the caller asked for (`grep -C`). */
  readonly context: readonly Match[];
  /** Other lines, such as a total or `Binary file … matches`. */
  readonly rest: readonly string[];
}

/** Longest path with its line number, in characters. */
const MAX_PATH = 410;

/** Number of matches below which grouping gains nothing. */
const MIN_MATCHES = 3;

const INLINE = /^((?:[A-Za-z]:[\\/])?[^\s:()[\]{}"'<>,;=|]{1,400}):(\d{1,7})(?::(\d{1,6}))?:(.*)$/s;
const CONTEXT = /^((?:[A-Za-z]:[\\/])?[^\s:()[\]{}"'<>,;=|]{1,400})-(\d{1,7})-/;
const BARE = /^([^\s:()[\]{}"'<>,;=|]{1,400}\.[A-Za-z0-9]{1,10}):(?![/\d])(.*)$/s;
/** A blank behind the colon is indentation, except behind `Line 12:`. */
const UNDER_HEADING =
  /^[ \t]{0,8}(?:Line )?(\d{1,7})(?::(\d{1,6}))?(?:\| ?|:(?:(?<=Line [\d:]{1,15}) )?)(.*)$/s;
const CONTEXT_UNDER_HEADING = /^[ \t]{0,8}([1-9]\d{0,6})[-–](.*)$/s;
const HEADING = inSequence([
  /^(?:File: |## |# )?/,
  /((?:[A-Za-z]:[\\/])?[^\s:*?"<>|(){};,=]{1,400}[^\s:*?"<>|(){};,=./-]):?$/,
]);
/** Contents that a compiler reports for a place. Such lines look like matches, but their messages matter. */
const REPORT = /^\d{0,6} {0,8}(fatal )?(error|warning|note|Error|Warning|E\d|W\d|ERROR|WARN)/;

const SEARCHERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'ugrep', 'git', 'zgrep']);

/**
 * Reads `path:12:text` lines, or lines under headings that name a file; undefined if the text is no output of a
 * search.
 */
export function parseMatches(text: string, use: ToolUse): FoundMatches | undefined {
  if (!mayBe(text, 0.5, isOfSearch)) {
    return undefined;
  }
  const all = text.split('\n');
  const lines = all.filter((line) => !isBlank(line));
  const isSearch =
    /grep|search|find|rg$/.test(use.name) || use.commands.some(({ program }) => SEARCHERS.has(program));
  const found = parseInline(lines, isSearch) ?? parseHeadings(all);
  return found && found.matches.length >= MIN_MATCHES ? found : undefined;
}

/** Whether a line can be part of the output of a search, in any of its forms. */
function isOfSearch(line: string): boolean {
  return (
    line === '--' ||
    INLINE.test(line) ||
    BARE.test(line) ||
    UNDER_HEADING.test(line) ||
    CONTEXT.test(line) ||
    CONTEXT_UNDER_HEADING.test(line) ||
    isPath(HEADING.exec(line)?.[1] ?? '')
  );
}

function parseInline(lines: readonly string[], isSearch: boolean): FoundMatches | undefined {
  const matches: Match[] = [];
  const others: string[] = [];
  let reports = 0;
  for (const line of lines) {
    const match = INLINE.exec(line);
    const bare = match || !isSearch ? null : BARE.exec(line);
    if (match && isPath(match[1] ?? '')) {
      const [, path = '', number = '', column, content = ''] = match;
      matches.push({ path, place: column === undefined ? number : `${number}:${column}`, content });
      reports += REPORT.test(content.slice(0, 40)) ? 1 : 0;
    } else if (bare && isPath(bare[1] ?? '')) {
      matches.push({ path: bare[1] ?? '', place: '', content: bare[2] ?? '' });
    } else if (line !== '--') {
      others.push(line);
    }
  }
  const paths = new Set(matches.map(({ path }) => path));
  const around = others.map((line) => readContext(line, paths));
  const context = around.filter((line) => line !== undefined);
  const rest = others.filter((_, index) => !around[index]);
  const isMostly = rest.length <= Math.min(20, lines.length * 0.2);
  return isMostly && reports < matches.length * 0.3 ? { matches, context, rest } : undefined;
}

/** Reads `path-12-text`; the text may hold numbers between hyphens as well. */
function readContext(line: string, paths: ReadonlySet<string>): Match | undefined {
  for (const { 0: separator, 1: place = '', index } of line.slice(0, MAX_PATH).matchAll(/-(\d{1,7})-/g)) {
    const path = line.slice(0, index);
    if (paths.has(path)) {
      return { path, place, content: line.slice(index + separator.length) };
    }
  }
  return undefined;
}

/**
 * Whether a word is a path: it has a folder, an extension or is a capitalised name such as `Makefile`, and does not
 * begin like a date or an address.
 */
function isPath(path: string): boolean {
  return (
    (/[/\\]/.test(path) || /\.[A-Za-z]\w{0,9}$/.test(path) || /^[A-Z][a-z]{3,20}$/.test(path)) &&
    !/^\d{1,4}[-/.]\d/.test(path)
  );
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function parseHeadings(all: readonly string[]): FoundMatches | undefined {
  const matches: Match[] = [];
  const rest: string[] = [];
  const context: Match[] = [];
  let headings = 0;
  let path = '';
  let total = 0;
  for (const [at, line] of all.entries()) {
    if (isBlank(line)) {
      continue;
    }
    total++;
    const match = UNDER_HEADING.exec(line);
    const heading = match ? '' : (HEADING.exec(line)?.[1] ?? '');
    // The name of a file may begin like a line around a match, `12-create.sql`, but stands behind a blank line.
    const isFirst = path === '' || isBlank(all[at - 1] ?? '');
    const around = match || (isFirst && isPath(heading)) ? null : CONTEXT_UNDER_HEADING.exec(line);
    if (match && path !== '') {
      const [, number = '', column, content = ''] = match;
      matches.push({ path, place: column === undefined ? number : `${number}:${column}`, content });
    } else if (around && path !== '') {
      context.push({ path, place: around[1] ?? '', content: around[2] ?? '' });
    } else if (isPath(heading)) {
      path = heading;
      headings++;
    } else if (line !== '--') {
      rest.push(line);
    }
  }
  const isMostly = matches.length + context.length + headings >= total * 0.85 && rest.length <= 20;
  const reports = matches.filter(({ content }) => REPORT.test(content.slice(0, 60))).length;
  return headings > 0 && reports < matches.length * 0.3 && isMostly && matches.length >= headings * 0.8
    ? { matches, context, rest }
    : undefined;
}
