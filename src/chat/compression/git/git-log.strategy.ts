import { gap, quantity, shorten } from '../kit/gap.js';
import { compilePattern, type PatternTable } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';

/** Number of commits below which a log is read for its messages, which then stay whole. */
const MIN_COMMITS = 6;

/** Characters of a hash that identify a commit in any repository. */
const HASH_CHARS = 12;

/** Lines in the body of a commit message that are kept: references, breaking changes, security. */
export const REFERENCE_LINES: PatternTable = {
  alternatives: [
    ['issue', /#\d{1,8}\b/, 'as asked for in #12'],
    ['breaking change', /BREAKING/, 'BREAKING CHANGE: no default'],
    ['vulnerability', /CVE-|GHSA-/, 'Addresses CVE-2024-1'],
    ['reference', /^(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|revert|refs?|see)\b/, 'Fixes the leak'],
    ['warning', /^(?:deprecat|security)\b/, 'Security: no more eval'],
  ],
  flags: 'i',
};
const REFERENCE = compilePattern(REFERENCE_LINES);

const COMMIT = /^commit ([0-9a-f]{40})(.{0,400})$/;
const AUTHOR = /^Author:/;
const STAT = /^ (.{1,300}?) {1,200}\| {1,10}(Bin .{1,80}|\d{1,9})( [+-]{1,200})?$/;

/**
 * `git log`: one line for each commit with hash, author, date and subject; of the body only references and warnings;
 * of `--stat` the files and their counts.
 */
export const gitLogStrategy: Strategy = {
  rule: 'git_log',
  condense: (text) => {
    if (!text.startsWith('commit ')) {
      return undefined;
    }
    const lines = text.split('\n');
    const starts = lines.flatMap((line, index) => (COMMIT.test(line) ? [index] : []));
    if (starts.length < MIN_COMMITS) {
      return undefined;
    }
    const commits = starts.map((start, index) => lines.slice(start, starts[index + 1] ?? lines.length));
    const isPlain = commits.flat().every((line) => !line.startsWith('diff --'));
    return isPlain ? render(commits) : undefined;
  },
};

function render(commits: readonly (readonly string[])[]): string {
  const head = `[${quantity(commits.length, 'commits')}; hashes cut to ${HASH_CHARS} characters; authors where they change]`;
  let author = '';
  const lines = commits.map((commit) => {
    const rendered = renderCommit(commit, author);
    author = commit.find((line) => AUTHOR.test(line)) ?? author;
    return rendered;
  });
  return [head, ...lines].join('\n');
}

/** @param author `Author:` line of the commit before; it is not repeated */
function renderCommit(lines: readonly string[], author: string): string {
  const [, hash = '', rest = ''] = COMMIT.exec(lines[0] ?? '') ?? [];
  const blank = lines.indexOf('');
  const headers = lines.slice(1, blank < 0 ? lines.length : blank);
  const body = (blank < 0 ? [] : lines.slice(blank + 1)).filter((line) => line.trim() !== '');
  const message = body.filter((line) => line.startsWith('    ')).map((line) => line.trim());
  const others = body.filter((line) => !line.startsWith('    '));
  const [subject = '', ...details] = message;
  const references = details.filter((line) => REFERENCE.test(line.slice(0, 300)));
  const fields = headers.filter((line) => line !== author && !isRepeated(line, headers)).map(field);
  const title = [`${hash.slice(0, HASH_CHARS)}${rest}`, ...fields, subject].join(' | ');
  const kept = [title, ...references.map((line) => `  ${shorten(line, 200)}`), ...others.map(stat)];
  const missing = details.length - references.length;
  return missing === 0 ? kept.join('\n') : `${kept.join('\n')} ${gap(missing, 'message lines')}`;
}

/** Whether a line repeats the author or the date of another: the committer is mostly the author. */
function isRepeated(line: string, headers: readonly string[]): boolean {
  const value = valueOf(line);
  return /^Commit(Date)?:/.test(line) && headers.some((other) => other !== line && valueOf(other) === value);
}

/** A header without its name, which `--format=fuller` aligns. */
function valueOf(line: string): string {
  return line.replace(/^\w{1,20}:/, '').trim();
}

function field(line: string): string {
  return line.replace(/^(Author|AuthorDate|Date):[ ]{1,8}/, '').trim();
}

/** A line of `--stat`, ` src/a.ts | 12 +++---`, without the drawing, which repeats the number. */
function stat(line: string): string {
  const match = STAT.exec(line.slice(0, 800));
  return match ? ` ${match[1] ?? ''} | ${match[2] ?? ''}${signs(match[3])}` : line;
}

/** The signs that occur in a drawing: lines were added, removed, or both. */
function signs(drawing = ''): string {
  const has = (sign: string): string => (drawing.includes(sign) ? sign : '');
  return drawing === '' ? '' : ` ${has('+')}${has('-')}`;
}
